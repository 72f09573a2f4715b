/** Places of every machine that a sandbox has to know: package caches, temporary folders, sockets of daemons. */
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from './places.ts'

type Environment = Readonly<Record<string, string | undefined>>

export const temporaryFolders = (): readonly string[] => [tmpdir(), '/tmp', '/var/tmp']

/**
 * Where package managers and compilers keep what can be fetched or made again, with the variable that moves it. Folders
 * with programs that run by themselves (`~/.cargo/bin`, `init.d` of Gradle) are in none of them.
 */
const CACHES: readonly (readonly [programs: RegExp, variable: string, ...folders: string[]])[] = [
  [/\bn(?:pm|px)\b/, 'npm_config_cache', '.npm'],
  [/\bpnpm\b/, 'PNPM_STORE_DIR', '.local/share/pnpm/store', '.cache/pnpm', '.local/state/pnpm'],
  [/\byarn\b/, 'YARN_CACHE_FOLDER', '.cache/yarn', '.yarn/berry'],
  [/\bbunx?\b/, 'BUN_INSTALL_CACHE_DIR', '.bun/install/cache'],
  [/\bdeno\b/, 'DENO_DIR', '.cache/deno'],
  [/\bnode-gyp\b|\bn(?:pm|px)\b/, 'npm_config_devdir', '.cache/node-gyp'],
  [/\b(?:corepack|yarn|pnpm)\b/, 'COREPACK_HOME', '.cache/node/corepack'],
  [/\b(?:playwright|npm|npx)\b/, 'PLAYWRIGHT_BROWSERS_PATH', '.cache/ms-playwright'],
  [/\bpip3?\b|\bpython/, 'PIP_CACHE_DIR', '.cache/pip'],
  [/\buvx?\b/, 'UV_CACHE_DIR', '.cache/uv'],
  [/\bpoetry\b/, 'POETRY_CACHE_DIR', '.cache/pypoetry'],
  [/\bpipenv\b/, 'PIPENV_CACHE_DIR', '.cache/pipenv'],
  [/\bcargo\b/, '', '.cargo/registry', '.cargo/git'],
  [/\bgo\b/, 'GOMODCACHE', 'go/pkg'],
  [/\bgo(?:pls|langci-lint)?\b/, 'GOCACHE', '.cache/go-build', '.cache/golangci-lint'],
  [
    /\bgradlew?\b/,
    '',
    ...['caches', 'daemon', 'native', 'notifications', 'wrapper', 'workers', '.tmp'].map(
      (name) => `.gradle/${name}`,
    ),
  ],
  [/\bmvnw?\b/, '', '.m2/repository', '.m2/wrapper'],
  [/\b(?:sbt|scala|cs)\b/, 'COURSIER_CACHE', '.cache/coursier', '.ivy2/cache'],
  [/\bdotnet\b/, 'NUGET_PACKAGES', '.nuget/packages', '.local/share/NuGet'],
  [/\b(?:gem|bundle)\b/, 'BUNDLE_USER_CACHE', '.bundle/cache', '.cache/gem'],
  [/\bcomposer\b/, 'COMPOSER_CACHE_DIR', '.cache/composer', '.composer/cache'],
  [/\b(?:dart|flutter)\b/, 'PUB_CACHE', '.pub-cache/hosted'],
  [/\b(?:ccache|cmake|make|ninja)\b/, 'CCACHE_DIR', '.cache/ccache', '.ccache'],
  [/\bsccache\b|\bcargo\b/, 'SCCACHE_DIR', '.cache/sccache'],
  [/\bbazel(?:isk)?\b/, '', '.cache/bazel', '.cache/bazelisk'],
  [/\bzig\b/, 'ZIG_GLOBAL_CACHE_DIR', '.cache/zig'],
]

/** Folders of the cache whose program the command names are made where they are missing: nobody could make them inside. */
export function cacheFolders(command: string, env: Environment, home = homedir()): string[] {
  return CACHES.flatMap(([programs, variable, ...folders]) => {
    const given = env[variable]
    const [first = '', ...rest] = folders.map((folder) => folderIn(folder, env, home))
    const main = given?.startsWith('/') === true ? given : first
    if (programs.test(command)) makeFolder(main)
    return [main, ...rest]
  })
}

const folderIn = (folder: string, env: Environment, home: string): string => {
  if (!folder.startsWith('.cache/')) return join(home, folder)
  const name = folder.slice('.cache/'.length)
  if (env['XDG_CACHE_HOME']) return join(env['XDG_CACHE_HOME'], name)
  return process.platform === 'darwin' ? join(home, 'Library/Caches', name) : join(home, folder)
}

/** Daemons that run, as the user or as root, whatever a program that reaches their socket asks for. */
export const daemonSockets = (env: Environment, uid = process.getuid?.() ?? 0): string[] => {
  const runtime = env['XDG_RUNTIME_DIR'] ?? `/run/user/${uid}`
  const own = ['bus', 'docker.sock', 'podman', 'systemd', 'containerd'].map((name) =>
    join(runtime, name),
  )
  const docker = /^unix:\/\/(\/.+)$/.exec(env['DOCKER_HOST'] ?? '')?.[1]
  return [
    ...SOCKETS,
    ...own,
    ...(docker === undefined ? [] : [docker]),
    ...[env['TMUX_TMPDIR'] ?? '/tmp', '/tmp'].map((folder) => join(folder, `tmux-${uid}`)),
    join(homedir(), '.screen'),
  ]
}

const SOCKETS = [
  '/run/docker.sock',
  '/run/podman',
  '/run/containerd',
  '/run/dbus',
  '/run/systemd/private',
  '/run/snapd.socket',
  '/run/libvirt',
  '/run/incus',
  '/run/lxd.socket',
  '/run/screen',
  '/tmp/screens',
  '/var/lib/incus/unix.socket',
  '/var/snap/lxd/common/lxd/unix.socket',
]
