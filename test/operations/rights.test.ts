/** Who may ask for which operation: every role times every row, beside a table that a person reads. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationNames, rowOf } from '../../src/engine/operations/table.ts'

/** o owner, g guest, n neighbour, w watch, s steer, a the session's own agent. */
const TABLE = `
send                  o-n-s-
cancel                o-n-s-
pending               o--ws-
continueWork          o---s-
answer                o-n-s-
answerQuestion        o-n-s-
permissions           o---s-
revoke                o---s-
queue                 o-n-s-
changeQueue           o-n-s-
setModel              o-n-s-
setMode               o-n-s-
agentOptions          o-----
guidance              o---s-
selectAgent           o---s-
switchGuidance        o---s-
setSteerable          o-----
moveTo                o-----
rename                o---s-
nameByDefault         o-----
state                 o--ws-
metadata              o--ws-
workspaceFile         o--ws-
events                og-ws-
metrics               o--ws-
usage                 o--ws-
contextSize           og-ws-
contextParts          o--ws-
contextAt             o--ws-
contextItem           o--ws-
editContext           o---s-
clearContext          o---s-
compact               o---s-
askAside              o---s-
note                  o---s-
summariseForHandoff   o---s-
recordHandoff         o-----
rewindPoints          og-ws-
previewRewind         o---s-
rewind                o---s-
undo                  o---s-
redo                  o---s-
fork                  o---s-
rewoundBranches       o---s-
changes               o---s-
changedFile           o---s-
restoreFile           o---s-
readPlan              og-ws-
writePlan             o---s-
deletePlan            o---s-
files                 o---s-
readFile              o---s-
writeFile             o---s-
statPath              o-----
createFolder          o-----
removePath            o-----
renamePath            o-----
checkpoints           og-ws-
readCheckpoint        og-ws-
clientMetadata        o--ws-
updateClientMetadata  o-----
tasks.list            o--ws-
tasks.start           o-----
tasks.message         o-----
tasks.cancel          o-----
tasks.promote         o-----
tasks.progress        o-----
tasks.ended           o-----
schedules.list        o--ws-
schedules.add         o-----
schedules.stop        o-----
schedules.rearm       o-----
canvases.record       o-----
canvases.remove       o-----
`

const ROLES = ['owner', 'guest', 'neighbour', 'watch', 'steer', 'agent'] as const

test('who may ask for which operation stands in one table', () => {
  const rows = operationNames.map((name) => {
    const { may } = rowOf(name)
    const marks = ROLES.map((role) => (may.includes(role) ? role.charAt(0) : '-')).join('')
    return `${name.padEnd(22)}${marks}`
  })
  assert.deepEqual(rows, TABLE.trim().split('\n'))
})

test('what the process of a turn answers may be asked of it by its neighbours, and nothing else may', () => {
  for (const name of operationNames) {
    const { may, where, atTurn } = rowOf(name)
    assert.equal(may.includes('neighbour'), where === 'turn', name)
    assert.equal(atTurn !== undefined, where === 'turn', name)
  }
})

test('the name of an operation in the release before is not that of another one', () => {
  const names = new Set<string>(operationNames)
  for (const name of operationNames) {
    const { formerly } = rowOf(name)
    assert.ok(formerly === undefined || !names.has(formerly), `${name}, formerly ${formerly}`)
  }
})
