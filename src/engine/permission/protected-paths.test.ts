/** Ways to write files of Reprise itself: none goes through unasked, and what only reads is not held up. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ownFileIn } from './protected-paths.ts'
import { subjectsOf } from './subjects.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'own-files-')))
after(() => rmSync(base, { recursive: true, force: true }))
const [home, project] = [join(base, 'home'), join(base, 'project')]
const session = join(home, 'session-state/one')
for (const folder of [join(home, '.reprise'), join(project, 'src'), join(session, 'files')])
  mkdirSync(folder, { recursive: true })
for (const file of [join(home, '.reprise/config.json'), join(project, 'hook.sh')])
  writeFileSync(file, '')
symlinkSync(join(home, '.reprise'), join(project, 'link'))

async function asks(fullCommandText: string, cwd = project): Promise<boolean> {
  const request = { kind: 'shell', toolCallId: 'c', fullCommandText }
  const subjects = await subjectsOf(request as Parameters<typeof subjectsOf>[0], cwd)
  const hookFiles = [join(project, 'hook.sh')]
  return (await ownFileIn(subjects, { home, hookFiles, workspacePath: session })) !== undefined
}

const config = `${home}/.reprise/config.json`

test('whatever may write files of Reprise itself is asked for', async () => {
  const through: string[] = []
  for (const text of [
    `echo {} > ${config}`,
    `echo {} >> link/config.json`,
    'echo {} > $REPRISE_HOME/.reprise/config.json',
    'echo {} > "${REPRISE_HOME:-x}"/session-store.db',
    'echo {} > ~/.reprise/config.json',
    'echo {} > $HOME/.rep"$x"rise/config.json',
    'echo {} > $HOME/.rep*/config.json',
    "echo {} > $HOME/'.repr'ise/config.json",
    'echo {} > $HOME/.[r]eprise/config.json',
    `cd ${home}/.reprise && echo {} > config.json`,
    `cd /; cd ${home.slice(1)}/.reprise; echo {} > config.json`,
    `pushd ${home}/.reprise; echo {} > config.json`,
    `cd ${home}; cd .reprise; tee config.json < /dev/null`,
    `f=${config}; echo {} > $f`,
    `f=${config}; echo {} | tee "$f"`,
    `export F=${config}; sh -c 'echo {} > $F'`,
    `F=${config} sh -c 'echo {} > $F'`,
    `set -- ${config}; echo {} > $1`,
    `for f in ${config}; do echo {} > $f; done`,
    `read f <<< ${config}; echo {} > $f`,
    `git config --file ${config} a.b c`,
    `git -C ${home}/.reprise init`,
    `git log --output=${config}`,
    `git -c core.editor='tee ${config}' commit`,
    `curl -s file:///etc/hostname -o ${config}`,
    `curl -so${config} file:///etc/hostname`,
    `wget -O ${config} http://127.0.0.1/`,
    `awk 'BEGIN{print 1 > "${config}"}'`,
    `sed -n 'w ${config}' hook.sh`,
    `sed -n '1w ${config}' hook.sh`,
    `sed -n 's/a/b/gw ${config}' hook.sh`,
    `sed -n 's/a/b/w${config}' hook.sh`,
    `sed '1e rm ${config}' hook.sh`,
    `sed -f x ${config}`,
    `sed -i s/a/b/ ${config}`,
    `sed -i -e s/a/b/ -e 'w ${config}' hook.sh`,
    `sed -i 's/a/b/;w ${config}/' hook.sh`,
    `sed -i s/a/b/ $(echo ${config})`,
    `ls ${home}/.reprise/* | xargs sed -i s/a/b/`,
    `rm $(ls ${config})`,
    `cd ${home}/.reprise && rm config.json`,
    'cd ~/.reprise && rm config.json',
    `cd ${session} && rm -r .`,
    `echo ${config} | awk '{print > $1}'`,
    `echo ${config} | awk '{system("rm " $1)}'`,
    `echo ${config} | npx xargs rm`,
    `curl -s file://${config} -o ${config}`,
    `REPRISE_HOME=${home} node tool.js`,
    'REPRISE_HOME=/tmp true; env | grep REPRISE_HOME=/ | cut -d= -f2 | xargs rm -r',
    'for n in REPRISE_HOME=; do env | sed -n s/$n//p | xargs rm; done; REPRISE_HOME=x',
    `perl -pi -e s/a/b/ ${config}`,
    `python3 -c "open('${config}','w')"`,
    `python3 - <<E\nopen('${config}','w')\nE`,
    `node -e "require('fs').writeFileSync('${config}','')"`,
    `node -e "require('fs').writeFileSync(process.env.REPRISE_HOME+'/x','')"`,
    `sort -o ${config} hook.sh`,
    `split hook.sh ${home}/.reprise/x`,
    `tar -xf a.tar -C ${home}`,
    `unzip a.zip -d ${home}/.reprise`,
    `gzip ${config}`,
    `dd of=${config} if=/dev/zero count=1`,
    `find ${home} -name '*.json' -delete`,
    `find ${home} -type f -exec rm {} +`,
    `find ${home} -type f -exec sh -c 'rm "$0"' {} ';'`,
    `ls -d ${home}/.reprise/* | xargs rm`,
    `echo ${config} | xargs truncate -s 0`,
    `echo ${config} | xargs -I{} cp hook.sh {}`,
    `cat <<< ${config} | while read f; do rm "$f"; done`,
    `sqlite3 ${home}/session-store.db 'delete from turns'`,
    `rm -rf ${home}`,
    `rm -rf ${base}/home/`,
    `mv ${home} elsewhere`,
    `ln -s ${home} h`,
    `ln ${config} here`,
    `install hook.sh ${config}`,
    `rsync -a . ${home}/`,
    `sudo tee ${config}`,
    `env tee ${config}`,
    `timeout 5 tee ${config}`,
    `bash -c 'echo {} > ${config}'`,
    `eval "echo {} > ${config}"`,
    `eval "echo {} > \\${config}"`,
    `exec 3> ${config}; echo {} >&3`,
    `{ echo {}; } > ${config}`,
    `(cd ${home} && echo {} > .reprise/config.json)`,
    `coproc tee ${config}`,
    `vim -c wq ${config}`,
    `ed ${config} < cmds`,
    `make -C ${home}/.reprise`,
    `reprise config set permissions.allow '["*"]'`,
    `bin/reprise config unset permissions.deny`,
    `npx reprise config set a b`,
    `env REPRISE_AGENT=x reprise --json config set a b`,
    `mkdir -p src/.reprise`,
    `cp hook.sh .reprise/x`,
    `chmod 777 hook.sh`,
    `echo x > hook.sh`,
    `sed -i s/a/b/ hook.sh`,
    `tee -a ${session}/events.jsonl`,
    `jq . x > ${session}/.reprise/lease/1.json`,
    `${'\u00a0'}tee ${config}`,
    `tee \\\n${config}`,
    `t\\\nee ${config}`,
  ])
    if (!(await asks(text))) through.push(text)
  assert.deepEqual(through, [])
})

test('what only reads them, and what has nothing to do with them, is not held up', async () => {
  const held: string[] = []
  for (const text of [
    'npm test',
    'git commit -am "say what .reprise/ is for"',
    'git add .reprise/x',
    'git diff -- .reprise',
    'echo .reprise/ >> .gitignore',
    `cat ${config}`,
    `cat ${config} | grep a | wc -l`,
    `ls -la ${home}`,
    `find ${home} -name '*.json'`,
    `find ${home} -name '*.json' -exec cat {} +`,
    `sed -n 1,5p ${config}`,
    `timeout 5 cat ${config}`,
    `reprise config get agent`,
    'reprise sessions list',
    'tar -cf x.tar --exclude=.reprise src',
    'rm -rf src/build',
    'echo x > "$out"',
    'python3 tool.py > out.txt',
    'bash hook.sh',
    `python3 tool.py > ${session}/files/out.txt`,
    `cd ${session} && echo one > files/a.md && echo two > research/b.md`,
    `python3 tool.py ${session}/files/out.txt`,
    `python3 -c "open('${session}/files/x','w')"`,
    `node ${project}/src/x.js`,
    'echo reprise > src/reprise.txt',
    'echo a > src/a.reprise',
    'ls .*',
    `cd src; cd ${home}; ls`,
    `cd ${session} && rm files/a.md`,
    'git add .reprise-notes.md',
    'grep -r .reprise src',
    'grep -rn .reprise src > hits.txt; rm -rf dist',
    'echo "see ~/.reprise" >> README.md',
    'echo .reprise/ | tee -a .gitignore',
    'touch .reprise.md && mv .reprise.md docs/.reprise.md',
    "sed -i 's/\\.reprise/.copilot/g' README.md",
    "sed -i -e 's#~/.reprise#x#' -e '/.reprise/d' README.md",
    `sed -n '/a/,/b/p;7q' ${config}`,
    'rsync -a --exclude .reprise src ../copy/',
    'rg -n "\\.reprise" src | sort | uniq -c && npm test',
    "git log --oneline -- .reprise | awk '{print $1}'",
    'curl -s https://example.com/.reprise -o x',
    'gh pr create --body "It lies in ~/.reprise"',
    'REPRISE_HOME=$(mktemp -d) npm test',
    'export REPRISE_HOME=/tmp/other; npm test',
    "cat > README.md <<'E'\nIt lies in ~/.reprise/config.json\nE",
  ])
    if (await asks(text)) held.push(text)
  assert.deepEqual(held, [])
})

test("a project that lies in the home is the user's, but for what is called .reprise in it", async () => {
  const inside = join(home, 'work')
  mkdirSync(inside, { recursive: true })
  assert.deepEqual(
    [
      await asks(`node ${inside}/x.js`, inside),
      await asks('rm -rf build', inside),
      await asks(`python3 -c "open('${inside}/.reprise/x','w')"`, inside),
      await asks('tee ../.reprise/config.json', inside),
    ],
    [false, false, true, true],
  )
})
