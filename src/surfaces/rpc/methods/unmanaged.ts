/**
 * What the Copilot CLI asks of an organisation, of GitHub's statistics or of a host, and answers without a sign-in all the
 * same. Nothing of it is here; programs that ask for it are told so in the form that they know.
 */
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import { method, sessionMethod, type Methods } from '../method.ts'
import { UNNAMED_CLIENT } from '../session-config.ts'

const PREDICATES: ReadonlySet<string> = new Set([
  'securityToolsEnabled',
  'thirdPartySecurityPromptEnabled',
  'parallelValidationEnabled',
  'runtimeTimingTelemetryEnabled',
  'coAuthorHookEnabled',
  'ccaUseTsAutofindEnabled',
  'dependabotCheckerEnabled',
  'codeqlCheckerEnabled',
])

export const unmanagedMethods: Methods = {
  'models.getBuiltInCatalog': method(
    'The models that are known without asking a provider: those that are configured.',
    async ({ server }) => ({ models: (await server.parts.models()).map(({ id }) => ({ id })) }),
  ),
  'managedSettings.read': method('What an organisation prescribes: nothing.', () => ({})),
  'managedSettings.clearCache': method('Forgets what was read of it.', () => null),
  'session.completions.getTriggerCharacters': sessionMethod(
    'After which characters a host completes: it has none of its own.',
    () => ({ triggerCharacters: [] }),
  ),
  'session.completions.request': sessionMethod(
    'What a host would complete: it has none of its own.',
    () => ({ items: [] }),
  ),
  'session.lsp.initialize': sessionMethod('Starts language servers; none are used.', () => null),
  'session.settings.snapshot': sessionMethod(
    'What a job of GitHub sets for a session: nothing but the name of the client.',
    ({ sessionParts: { clientName } }) => ({
      clientName: clientName === UNNAMED_CLIENT ? 'sdk' : clientName,
      repo: {},
      model: {},
      validation: {},
      job: {},
      onlineEvaluation: {},
    }),
  ),
  'session.settings.evaluatePredicate': sessionMethod(
    'Whether such a job wants something: it does not.',
    { name: z.string() },
    (_session, { name }) => {
      if (!PREDICATES.has(name))
        throw new EngineError('invalid', `Unknown setting: ${name}. Nothing was asked.`)
      return { enabled: false }
    },
  ),
  'session.sandbox.getEnforcementStatus': sessionMethod(
    'Whether a sandbox is prescribed: it is not.',
    () => ({ required: false, blocked: false }),
  ),
  'session.sandbox.disableForSession': sessionMethod(
    'Takes a command out of the sandbox that a question is about; there is none.',
    { requestId: z.string() },
    (_session, { requestId }) => {
      throw new EngineError(
        'not_found',
        `No pending permission request "${requestId}" is about a sandbox. Nothing was changed.`,
      )
    },
  ),
  'session.contentExclusion.checkPaths': sessionMethod(
    'Which files an organisation excludes: none is known.',
    { paths: z.array(z.string()) },
    () => ({ available: false, checks: [] }),
  ),
  'session.telemetry.getEngagementId': sessionMethod(
    'A number for this opening of the session; it leaves the machine with nobody.',
    ({ engagementId }) => ({ engagementId }),
  ),
  'session.telemetry.setFeatureOverrides': sessionMethod(
    "Marks for GitHub's telemetry, to which nothing is sent.",
    { features: z.record(z.string(), z.unknown()).optional() },
    () => null,
  ),
  'session.limitPrediction.predict': sessionMethod(
    "How many of GitHub's credits a session may need: no model here is paid with them.",
    () => ({ kind: 'unavailable', reason: 'no_model' }),
  ),
  'session.ui.registerDirectAutoModeSwitchHandler': sessionMethod(
    'The client would decide on another model at a rate limit. A provider of its own is never changed by itself.',
    ({ autoModeHandlers }) => {
      const handle = `dams-${crypto.randomUUID()}`
      autoModeHandlers.add(handle)
      return { handle }
    },
  ),
  'session.ui.unregisterDirectAutoModeSwitchHandler': sessionMethod(
    'The client decides on it no more.',
    { handle: z.string() },
    ({ autoModeHandlers }, { handle }) => ({ unregistered: autoModeHandlers.delete(handle) }),
  ),
}
