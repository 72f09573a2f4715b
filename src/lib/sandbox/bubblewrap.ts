/** The command line of bubblewrap: mounts for the walls, processes of its own, and no way to more rights. */
import type { ProcessSpace } from './process-space.ts'
import type { Place, Walls } from './walls.ts'

/** Devices that builds and tests use; everything else of /dev is made anew, so that no disk or terminal is reached. */
const DEVICES = ['dri', 'fuse', 'kfd', 'kvm', 'net', 'nvidia-uvm', 'nvidia0', 'nvidiactl']

/** What a container gives its root: enough for files of others and servers, nothing by which a mount could be undone. */
const ROOT_CAPABILITIES = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'NET_BIND_SERVICE',
  'NET_RAW',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]

type Inside = {
  readonly cwd: string
  readonly uid: number
  readonly gid: number
  /** Its files are the numbers 3 and 4 of bubblewrap; without one the command has a pid namespace of its own. */
  readonly space?: ProcessSpace | undefined
}

/**
 * The words before a command. There is no `--die-with-parent`: bubblewrap ends with the command, and what the command
 * left in the background goes on, as it does without a sandbox.
 */
export function bubblewrapLine(
  program: string,
  { places, network }: Walls,
  { cwd, uid, gid, space }: Inside,
): readonly string[] {
  const isRootWritable = places.some(({ path, access }) => path === '/' && access === 'writable')
  const inner = places.filter(({ path }) => path !== '/')
  const isMapped = space !== undefined && uid !== 0
  return [
    program,
    ...(isRootWritable ? ['--bind', '/', '/'] : ['--ro-bind', '/', '/']),
    '--dev',
    '/dev',
    ...DEVICES.flatMap((name) => ['--dev-bind-try', `/dev/${name}`, `/dev/${name}`]),
    ...(isMapped ? ['--userns', '4', ...added('SETFCAP')] : []),
    ...(space === undefined ? ['--unshare-pid'] : ['--pidns', '3']),
    '--proc',
    '/proc',
    ...(network ? [] : ['--unshare-net']),
    ...(uid === 0 ? ['--cap-drop', 'ALL', ...ROOT_CAPABILITIES.flatMap(added)] : []),
    ...inner.flatMap((place) => mountOf(place, cwd)),
    '--chdir',
    cwd,
    '--',
    // In the shared namespace this user is root, which none of the rights of root go with; here it is itself again.
    ...(isMapped ? [program, ...asUser(uid, gid), '--chdir', cwd, '--'] : []),
    ...(space === undefined ? [] : ['/bin/sh', '-c', 'exec "$@" 3<&- 4<&-', 'sh']),
  ]
}

const asUser = (uid: number, gid: number) =>
  `--dev-bind / / --unshare-user --uid ${uid} --gid ${gid} --cap-drop ALL`.split(' ')

const added = (name: string) => ['--cap-add', `CAP_${name}`]

function mountOf({ path, access, isFolder }: Place, cwd: string): readonly string[] {
  if (access === 'writable') return ['--bind', path, path]
  if (access === 'read-only') return ['--ro-bind', path, path]
  // A device on a mount without devices: nobody can open it, not even root.
  if (!isFolder) return ['--ro-bind', '/dev/null', path]
  // A program cannot start in a folder that nobody may enter.
  const mode = cwd === path || cwd.startsWith(`${path}/`) ? '0555' : '0000'
  const way = cwd.startsWith(`${path}/`) ? ['--dir', cwd] : []
  return ['--perms', mode, '--tmpfs', path, ...way, '--remount-ro', path]
}
