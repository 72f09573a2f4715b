/** What a command may have missed: variables that look secret are not given to it, and a line says so where that matters. */
import { withheldVariables } from '../../lib/child-environment.ts'
import { namedSecrets } from '../../lib/redact/known.ts'
import type { Ended } from './command.ts'

/** Programs that sign in by a variable of their own. */
const SIGN_IN: readonly (readonly [program: RegExp, variable: RegExp])[] = [
  [/^(?:gh|git|hub|copilot|act)$/, /^(?:GH|GITHUB|COPILOT_GITHUB)(?:_ENTERPRISE)?_(?:TOKEN|PAT)$/],
  [/^(?:glab|git)$/, /^(?:GITLAB|CI_JOB|GL)_(?:TOKEN|PAT)$/],
  [
    /^(?:npm|npx|pnpm|yarn|bun|semantic-release)$/,
    /NPM_\w*TOKEN|NODE_AUTH_TOKEN|npm_config_\S*auth/i,
  ],
  [/^(?:aws|sam|cdk|eksctl|terraform|tofu|pulumi|packer|s3cmd)$/, /^AWS_/],
  [/^(?:az|azd|terraform|tofu|pulumi)$/, /^(?:AZURE|ARM)_/],
  [/^(?:gcloud|gsutil|bq|firebase|gemini)$/, /^(?:GOOGLE|GEMINI|FIREBASE|CLOUDSDK)_/],
  [/^(?:docker|podman|buildah|skopeo|crane|helm|kubectl)$/, /^(?:DOCKER|REGISTRY|HELM|KUBE)/],
  [/^(?:terraform|tofu|vault|nomad|consul|packer)$/, /^(?:TF_|VAULT_|NOMAD_|CONSUL_|HCP_)/],
  [/^(?:claude|anthropic)$/, /^(?:ANTHROPIC|CLAUDE)/],
  [/^(?:codex|openai|llm|aider|opencode)$/, /^(?:OPENAI|ANTHROPIC|OPENROUTER)/],
  [/^(?:hf|huggingface-cli|python3?|uv|pip3?)$/, /^(?:HF|HUGGING)/],
  [/^(?:twine|uv|poetry|pip3?|flit|hatch)$/, /^(?:TWINE|UV|POETRY|PYPI|PIP|FLIT|HATCH)_/],
  [/^cargo$/, /^CARGO_/],
  [/^(?:gem|bundle|bundler)$/, /^(?:GEM|RUBYGEMS|BUNDLE)_/],
  [/^(?:mvn|gradle|gradlew)$/, /^(?:MAVEN|GRADLE|ORG_GRADLE|SONATYPE|OSSRH)_/],
  [/^(?:psql|pg_dump|pg_restore|createdb|prisma)$/, /^PG|DATABASE_URL|POSTGRES/],
  [/^(?:mysql|mysqldump|mariadb)$/, /^(?:MYSQL|MARIADB)|DATABASE_URL/],
  [/^(?:redis-cli|valkey-cli)$/, /^REDIS/],
  [
    /^(?:vercel|netlify|fly|flyctl|heroku|doctl|railway|render)$/,
    /^(?:VERCEL|NETLIFY|FLY|HEROKU|DIGITALOCEAN|RAILWAY|RENDER)_/,
  ],
  [/^(?:wrangler|cloudflared)$/, /^(?:CLOUDFLARE|CF|TUNNEL)_/],
  [
    /^(?:sentry-cli|stripe|supabase|snyk|sonar-scanner|codecov)$/,
    /^(?:SENTRY|STRIPE|SUPABASE|SNYK|SONAR|CODECOV)_/,
  ],
  [/^(?:ansible|ansible-playbook|ssh|sshpass)$/, /^(?:ANSIBLE|SSHPASS)/],
]

const WANTS_SIGN_IN =
  /auth|token|credential|log[ -]?in|sign[ -]?in|forbidden|denied|password|api[ _-]?key|access[ _-]?key|\b40[134]\b/i

/**
 * One line about variables that a command names, or, where it failed for want of a sign-in, that a program in it signs
 * in by. Undefined when it missed none.
 */
export function missedLine(
  command: string,
  { output, exitCode }: Pick<Ended, 'output' | 'exitCode'>,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const withheld = withheldVariables(env)
  if (withheld.length === 0) return undefined
  const programs = new Set(command.match(/(?<![\w./$-])[\w.-]+(?![\w=])/g))
  const isUnsigned = exitCode !== 0 && WANTS_SIGN_IN.test(output)
  const isMissed = (name: string): boolean =>
    new RegExp(`\\$\\{?${name.replace(/\W/g, '\\$&')}(?!\\w)`).test(command) ||
    (isUnsigned &&
      SIGN_IN.some(
        ([program, variable]) =>
          variable.test(name) && [...programs].some((each) => program.test(each)),
      ))
  const named = new Set(namedSecrets.in(env))
  const missed = withheld.filter(isMissed)
  const settable = missed.filter((name) => !named.has(name))
  if (missed.length === 0) return undefined
  if (settable.length === 0) return `<withheld by --secret-env-vars: ${missed.join(', ')}>`
  return `<not given to commands, because it looks secret: ${settable.join(', ')}; the user can let it through: reprise config set environment.pass '${JSON.stringify(settable)}'>`
}
