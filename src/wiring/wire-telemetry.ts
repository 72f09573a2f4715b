/** Wires what is told of this process to its sinks: the diagnostics of its home, a collector if there is one. */
import type { Config } from '../config/config-file.ts'
import type { Engine } from '../engine/engine.ts'
import { defined } from '../lib/defined.ts'
import { installSink } from '../lib/telemetry.ts'
import { openDiagnostics } from '../telemetry/diagnostics.ts'
import type { Exporting } from '../telemetry/otel.ts'

type Env = Readonly<Record<string, string | undefined>>

let hasDiagnostics = false
let exporting: Promise<Exporting> | undefined

/** Once a process, for the first home. Nothing is written before there is something to tell. */
export function keepDiagnostics(home: string, env: Env): void {
  if (hasDiagnostics || env['REPRISE_LOG'] === 'off') return
  hasDiagnostics = true
  const diagnostics = openDiagnostics({ home, level: env['REPRISE_LOG'] })
  installSink(diagnostics)
  process.once('exit', () => diagnostics.flush())
}

/** Once a process. Without a collector nothing is loaded. */
export async function startTelemetry(
  { telemetry }: Pick<Config, 'telemetry'>,
  env: Env,
  version: string,
): Promise<void> {
  const isElsewhere = Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'])
  if (env['OTEL_SDK_DISABLED'] === 'true') return
  // As the Copilot SDK says it: a file in place of a collector.
  const path = env['COPILOT_OTEL_FILE_EXPORTER_PATH']
  const file = env['COPILOT_OTEL_EXPORTER_TYPE'] === 'file' && path ? path : undefined
  if (!isElsewhere && telemetry?.endpoint === undefined && file === undefined) return
  exporting ??= import('../telemetry/otel.ts').then(({ openOtel }) => {
    const opened = openOtel({
      version,
      traceparent: env['TRACEPARENT'],
      ...defined({ file }),
      ...(!isElsewhere && telemetry?.endpoint !== undefined && { endpoint: telemetry.endpoint }),
    })
    installSink(opened)
    return opened
  })
  await exporting
}

/** What waits is sent before the engine has stopped. */
export const withTelemetry = (engine: Engine): Engine => ({
  ...engine,
  async stop() {
    await engine.stop()
    await (await exporting)?.flush()
  },
})
