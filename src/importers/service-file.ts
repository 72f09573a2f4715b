/** The file by which the system keeps `reprise import --watch` running for a user: of systemd, or of launchd. Pure. */

export type Watching = {
  readonly program: readonly string[]
  /** Which agents, as `--from` takes them; all when it is empty. */
  readonly from: readonly string[]
  /** What decides where this home and the sessions of the agents lie. */
  readonly env: Readonly<Record<string, string>>
}

/** Tells a file of ours from one that a person wrote by hand. */
export const OURS = 'Written by "reprise import'
export const LABEL = 'reprise-import'

const argsOf = ({ program, from }: Watching): readonly string[] => [
  ...program,
  'import',
  '--watch',
  ...(from.length > 0 ? ['--from', from.join(',')] : []),
]

export function systemdUnit(watching: Watching): string {
  const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`
  const args = argsOf(watching).map((arg) => quoted(arg.replaceAll('$', '$$$$')))
  return [
    `# ${OURS} --service on"; "reprise import --service off" removes it.`,
    '[Unit]',
    'Description=Reprise: takes over sessions of other agents before they are purged',
    '',
    '[Service]',
    `ExecStart=${args.join(' ')}`,
    ...Object.entries(watching.env).map(
      ([name, value]) => `Environment=${quoted(`${name}=${value}`)}`,
    ),
    // To be asked to end is no failure.
    'SuccessExitStatus=143',
    'Restart=on-failure',
    'RestartSec=60',
    'Nice=10',
    'UMask=0077',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n')
}

export function launchdPlist(watching: Watching): string {
  const text = (value: string) =>
    `<string>${value.replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`)}</string>`
  const env = Object.entries(watching.env).flatMap(([name, value]) => [
    `    <key>${name}</key>`,
    `    ${text(value)}`,
  ])
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    // Two hyphens end a comment in XML.
    `<!-- ${OURS}"; its option "service" set to off removes it. -->`,
    '<plist version="1.0">',
    '<dict>',
    `  <key>Label</key>`,
    `  ${text(LABEL)}`,
    '  <key>ProgramArguments</key>',
    '  <array>',
    ...argsOf(watching).map((arg) => `    ${text(arg)}`),
    '  </array>',
    '  <key>EnvironmentVariables</key>',
    '  <dict>',
    ...env,
    '  </dict>',
    '  <key>RunAtLoad</key>',
    '  <true/>',
    '  <key>KeepAlive</key>',
    '  <dict><key>SuccessfulExit</key><false/></dict>',
    '  <key>ProcessType</key>',
    '  <string>Background</string>',
    '</dict>',
    '</plist>',
    '',
  ].join('\n')
}
