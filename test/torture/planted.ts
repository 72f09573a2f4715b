/**
 * Bugs that were planted once and must be caught whenever they come back: a promise without a test that fails is no
 * promise. Each is one text of the sources and what stands there instead, and the test or torture that has to fail.
 */

/** A test file, with the name of one test when only that is meant; or a part of the torture, for so many minutes. */
export type Catcher =
  | { readonly test: string; readonly named?: string }
  | { readonly torture: string; readonly minutes: number }

export type PlantedBug = {
  readonly name: string
  readonly file: string
  readonly find: string
  readonly replace: string
  readonly caughtBy: Catcher
  /** The catcher starts the built program. */
  readonly isBuilt?: true
}

const REWIND = 'src/log/rewind.test.ts'
const APPEND = 'src/log/append.test.ts'

export const planted: readonly PlantedBug[] = [
  {
    name: 'redo without its intent',
    file: 'src/log/redo.ts',
    find: '    await writeIntent(fs, dir, intent)\n',
    replace: '',
    caughtBy: { test: REWIND },
  },
  {
    name: 'torn tail not cut',
    file: 'src/log/mend-tail.ts',
    find: '    await rewriteEnd(fs, dir, { cutAt: torn.start })\n',
    replace: '',
    caughtBy: { test: 'src/log/open.test.ts' },
  },
  {
    name: 'restore without its intent',
    file: 'src/project/restore.ts',
    find: '  await writeIntent(restoring, { ...intent, steps })\n',
    replace: '',
    caughtBy: { test: 'src/project/restore.test.ts' },
  },
  {
    name: 'killed undo of files not settled by the next opening',
    file: 'src/engine/live/writer.ts',
    find: 'const settled = await settleFiles(engine, session).catch(',
    replace: 'const settled = await Promise.reject(settleFiles).catch(',
    caughtBy: { test: 'test/crash/undo-files.test.ts', named: 'undo of five files' },
  },
  {
    name: 'no folder fsync',
    file: 'src/fs/disk-root.ts',
    find: "    await fsyncLater(fd)\n  } catch (error) {\n    if (codeOf(error) !== 'EINVAL'",
    replace:
      "    await Promise.resolve(fsyncLater)\n  } catch (error) {\n    if (codeOf(error) !== 'EINVAL'",
    caughtBy: { test: 'test/crash/folder-sync.test.ts' },
  },
  {
    name: 'no folder fsync after a file took the place of another',
    file: 'src/fs/disk-steps.ts',
    find: 'await (isNewFolder ? syncWayDown(root, full) : syncFolder(path.dirname(full)))',
    replace: 'if (isNewFolder) await syncWayDown(root, full)',
    caughtBy: { test: 'test/crash/folder-sync.test.ts' },
  },
  {
    name: 'seal of an undo not checked',
    file: 'src/project/restore-intent.ts',
    find: "typeof seal === 'string' && isSealed(aboutOf(dir), text, seal)",
    replace: 'isSealed !== undefined && seal !== 0',
    caughtBy: { test: 'src/engine/history/settle-files.test.ts' },
  },
  {
    name: 'seal of the journal not checked',
    file: 'src/project/journal-line.ts',
    find: 'const isOurs = seal === undefined ? sealer.isOlder(dir) : isSealed',
    replace: "const isOurs = seal === undefined ? sealer.isOlder(dir) : seal !== ''",
    caughtBy: { test: 'src/engine/history/settle-files.test.ts' },
  },
  {
    name: 'parts of a closed session are kept',
    file: 'src/wiring/follow-remote.ts',
    find: "if (change.kind === 'closed' || change.kind === 'deleted') hosts.delete(change.id)",
    replace: "if (change.kind === 'deleted') hosts.delete(change.id)",
    caughtBy: { test: 'test/rpc/let-go.test.ts' },
  },
  {
    name: 'stream file not redacted',
    file: 'src/engine/turn/stream-file.ts',
    find: 'for (const notice of clean(item.notice)) waiting += lineOf(notice)',
    replace:
      'for (const notice of [item.notice, ...clean(item.notice).slice(1)]) waiting += lineOf(notice)',
    caughtBy: { test: 'src/engine/turn/stream-file.test.ts' },
  },
  {
    name: 'forget without its journal',
    file: 'src/log/forget-intent.ts',
    find: '  if (bytes === undefined) return\n  const intent = parseJson(bytes, Intent)\n',
    replace:
      '  if (bytes === undefined) return\n  await fs.remove(intentPath(dir))\n  const intent = parseJson(bytes, Intent)\n',
    caughtBy: { test: 'src/log/forget-intent.test.ts' },
  },
  {
    name: 'a killed forget leaves the index as it was',
    file: 'src/engine/forget/forget.ts',
    find: '  await eraseFollowers(engine, erasable(unfinished))\n',
    replace: '  void erasable\n',
    caughtBy: { test: 'src/engine/forget/forget.test.ts' },
  },
  {
    name: 'lease taken without a fence',
    file: 'src/log/durable-file.ts',
    find: 'if (fence !== undefined && !(await fence.holds(withinMs))) throw new LeaseLost()',
    replace: 'if (fence !== undefined) await fence.holds(withinMs)',
    caughtBy: { test: 'test/crash/frozen.test.ts' },
  },
  {
    name: 'no fence after the sync',
    file: 'src/log/durable-file.ts',
    find: '    await syncOrDrop(target)\n    await requireLease(fence)\n',
    replace: '    await syncOrDrop(target)\n',
    caughtBy: { test: APPEND },
  },
  {
    name: 'contents collected while needed',
    file: 'src/project/collect-contents.ts',
    find: '(sha256) => needed.has(sha256)',
    replace: "(sha256) => needed.has(sha256) && sha256 < '8'",
    caughtBy: { test: 'src/project/home-contents.test.ts' },
  },
  {
    name: 'log not synced',
    file: 'src/log/durable-file.ts',
    find: '      await target.sync()\n    } catch (cause) {\n      // A second sync',
    replace: '      await target.size()\n    } catch (cause) {\n      // A second sync',
    caughtBy: { test: APPEND },
  },
  {
    name: 'what a rewind removes not synced before the cut',
    file: 'src/log/range.ts',
    find: '    await target.sync()\n',
    replace: '',
    caughtBy: { test: REWIND },
  },
  {
    name: 'short write ignored',
    file: 'src/fs/write-all.ts',
    find: '    rest = after(rest, count)\n',
    replace: '    rest = after(rest, count).slice(0, 0)\n',
    caughtBy: { test: 'test/crash/full-disk.test.ts' },
  },
  {
    name: 'half a session is left in the trash',
    file: 'src/fs/disk-steps.ts',
    find: 'await promises.rm(await nameless(full), {',
    replace: 'await promises.rm(full || (await nameless(full)), {',
    caughtBy: { torture: 'delete-now', minutes: 3 },
    isBuilt: true,
  },
  {
    name: 'Mission Control on SQLite does not sync',
    file: 'src/control/sqlite/open.ts',
    find: 'PRAGMA synchronous = FULL;',
    replace: 'PRAGMA synchronous = OFF;',
    caughtBy: { test: 'test/control/synced.test.ts' },
    isBuilt: true,
  },
  {
    name: 'Mission Control acknowledges before the commit',
    file: 'src/control/streams/append.ts',
    find: 'const results = await db.transact(async (tx) => {',
    replace:
      'const early = (work: Parameters<typeof db.transact<Appended[]>>[0]) =>\n    new Promise<Appended[]>((resolve, reject) => void db.transact(async (tx) => {\n      const done = await work(tx)\n      resolve(done)\n      await new Promise((later) => setTimeout(later, 50))\n      return done\n    }).catch(reject))\n  const results = await early(async (tx) => {',
    caughtBy: { test: 'test/control/synced.test.ts' },
    isBuilt: true,
  },
]
