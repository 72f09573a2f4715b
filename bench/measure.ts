/**
 * Runs probes, each time in a fresh process, so that neither warmed-up code nor memory of an earlier run
 * flatters a figure. Probes of one call take turns: what disturbs the machine disturbs all of them alike.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { performance } from 'node:perf_hooks'

/** What a probe gives: numbers by name, milliseconds unless the name says otherwise. */
export type Sample = Readonly<Record<string, number>>

export type Trial = {
  /** A file of this folder without its ending, and the function in it. */
  readonly module: string
  readonly probe: string
  readonly args: Readonly<Record<string, unknown>>
  /** Runs in this process before each run, outside the measured time. */
  readonly before?: () => void
}

export type Summary = {
  readonly median: number
  readonly min: number
  readonly p95: number
  readonly runs: number
}

/** By the name that the probe gave the number. */
export type Measured = (name: string) => Summary

export interface Measure {
  <Name extends string>(runs: number, trials: Record<Name, Trial>): Promise<Record<Name, Measured>>
}

/** `bundle` is the folder that `bundleProbes` filled; `flags` are what Node is started with. */
export const createMeasure =
  (bundle: string, flags: readonly string[]): Measure =>
  (runs, trials) =>
    inTurns(runs, trials, async ({ module, probe, args, before }) => {
      before?.()
      const child = [...flags, join(bundle, 'child.js'), join(bundle, `${module}.js`), probe]
      const { output } = await run(process.execPath, [...child, JSON.stringify(args)])
      return JSON.parse(output) as Sample
    })

export type Command = {
  readonly file: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** The wall time of whole processes, as a person at a terminal waits for them. */
export const measureWall = <Name extends string>(
  runs: number,
  commands: Record<Name, Command>,
): Promise<Record<Name, Measured>> =>
  inTurns(runs, commands, async ({ file, args, env }) => {
    const { ms } = await run(file, args, env)
    return { ms }
  })

async function inTurns<Name extends string, T>(
  runs: number,
  trials: Record<Name, T>,
  once: (trial: T) => Promise<Sample>,
): Promise<Record<Name, Measured>> {
  const names = Object.keys(trials) as Name[]
  const samples = new Map<Name, Sample[]>(names.map((name) => [name, []]))
  for (let round = 0; round < runs; round++) {
    for (const name of names) samples.get(name)?.push(await once(trials[name]))
  }
  const measured = names.map((name) => [name, summarise(samples.get(name) ?? [])] as const)
  return Object.fromEntries(measured) as Record<Name, Measured>
}

async function run(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ ms: number; output: string }> {
  const startedAt = performance.now()
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (code !== 0) throw new Error(`${[file, ...args].join(' ')} ended with ${String(code)}`)
  return { ms: performance.now() - startedAt, output }
}

const summarise =
  (samples: readonly Sample[]): Measured =>
  (name) =>
    summaryOf(
      samples.map((sample) => {
        const value = sample[name]
        if (value === undefined) throw new Error(`The probe gave no ${name}.`)
        return value
      }),
    )

export function summaryOf(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
  return { median: at(0.5), min: sorted[0] ?? Number.NaN, p95: at(0.95), runs: sorted.length }
}
