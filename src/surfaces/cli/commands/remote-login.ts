/** `remote login`: this home joins a Mission Control. */
import { hostname } from 'node:os'
import { changeConfig } from '../../../config/change-config.ts'
import { readConfig } from '../../../config/load.ts'
import { EngineError } from '../../../engine/errors.ts'
import { defined } from '../../../lib/defined.ts'
import { usage, type Run } from '../command.ts'

export const run: Run = async (cli, given) => {
  const word = given.word(0)
  if (word === undefined || !URL.canParse(word) || !/^https?:$/.test(new URL(word).protocol))
    throw usage(
      'remote login wants the address of a Mission Control, as https://control.example.com.',
    )
  const link = new URL(word)
  const code = new URLSearchParams(link.hash.slice(1)).get('code') ?? undefined
  link.hash = ''
  const url = link.href.replace(/\/+$/, '')
  const { fs } = await cli.engine()
  const name = given.text('name')?.trim()
  if (name === '') throw usage('--name wants what you are called.')
  const config = await readConfig(fs)
  // Another name needs no other token.
  const isHere = name !== undefined && code === undefined && config.control?.url === url
  const joined = isHere ? config.control?.token : undefined
  const { token, me } = await cli.host.joinControl(url, {
    machine: hostname(),
    ...defined({ code, name, token: given.has('token') ? (given.text('token') ?? '') : joined }),
    signal: cli.signal,
    show: ({ userCode }) =>
      cli.out.note(
        `The code is ${userCode}. Say yes to it in a browser, ${url}/login?code=${userCode}, or on a machine that has joined: reprise remote approve ${userCode}. Waiting for it.`,
      ),
  })
  await changeConfig(fs, (now) => ({ ...now, control: { ...now.control, url, token } }))
  if (!me.scopes.includes('export'))
    throw new EngineError(
      'invalid',
      `${me.name} may look there, but not export. It was kept all the same.`,
    )
  if (cli.json) cli.out.json({ url, ...me })
  else
    cli.out.line(
      `Joined ${url} as ${me.name}. "reprise remote on" keeps a copy of a session there.`,
    )
}
