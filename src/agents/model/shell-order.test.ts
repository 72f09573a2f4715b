import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayDisturb, shellReach } from './shell-order.ts'

const meet = (one: string, other: string) =>
  mayDisturb(shellReach(one, '/project'), shellReach(other, '/project'))

test('commands that name other files, or none, run beside each other', () => {
  for (const [one, other] of [
    ['sleep 1', 'sleep 2'],
    ['cat a.txt', 'cat b.txt'],
    ['touch a', 'ls'],
    ['node build.js > out.log', 'tsc -p other'],
    ['echo one', 'echo two'],
    ['sleep 1; echo done', 'sleep 1; echo done'],
    ['date +%s; sleep 1; date +%s', 'date +%s; sleep 1; date +%s'],
    ['cat a.txt | wc -l', 'grep x a.txt'],
  ] as const)
    assert.equal(meet(one, other), false, `${one} | ${other}`)
})

test('commands that name a file of each other, share a program with a state, or move the shell wait', () => {
  for (const [one, other] of [
    ['echo x > a.txt', 'cat a.txt'],
    ['rm -r src', 'cat src/a.txt'],
    ['echo x >> a.txt', 'echo y >> a.txt'],
    ['cat a.txt > b.txt', 'cat b.txt'],
    ['cat a.txt | tee b.txt', 'head b.txt'],
    ['touch /project/A', 'cat a'],
    ['rm -rf .', 'cat a.txt'],
    ['./gen.sh', './gen.sh'],
    ['git add x', 'git commit -m y'],
    ['cd sub', 'ls'],
    ['export A=1', 'node x.js'],
    ['rm $FILE', 'ls'],
    ['cat *.txt', 'touch n'],
    ['sleep 1; cd sub', 'pwd'],
  ] as const)
    assert.equal(meet(one, other), true, `${one} | ${other}`)
})
