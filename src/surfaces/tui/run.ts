/** The whole screen: keys in, frames out. What it shows is the model, and what it does is done by the app. */
import {
  Editor,
  KeybindingsManager,
  ProcessTerminal,
  TUI_KEYBINDINGS,
  TuiAltScreen,
  getCapabilities,
  setKeybindings,
  type Terminal,
} from '@earendil-works/pi-tui'
import { deferred } from '../../lib/deferred.ts'
import { errorText } from '../../lib/error-text.ts'
import { createApp, type App } from './app.ts'
import { createCopy, createOutside, createPulse, onEveryInput, titleOf } from './terminal-chrome.ts'
import { createAsking } from './asking.ts'
import { screenKeys } from './commands/keys.ts'
import { completion } from './editor/complete.ts'
import { takePicture } from './editor/take-picture.ts'
import { closeOldList, offerAgain } from './editor/offer-again.ts'
import { createPress, partedEscape } from './keys.ts'
import { createLook } from './appearance.ts'
import { createNotifier } from './notify.ts'
import { unanswered } from './model/unanswered.ts'
import type { Message } from './model/message.ts'
import type { Model } from './model/model.ts'
import type { TuiOptions } from './options.ts'
import { createPictures } from './view/pictures.ts'
import { createScreen } from './view/screen.ts'
import { SIGN_MS, isMoving } from './view/working.ts'
import { makeTheme, wantsPaint } from './view/theme.ts'

/** About thirty frames a second, however fast the answer comes. Keys are shown at once. */
const FRAME_MS = 33

export async function runTui(
  options: TuiOptions,
  terminal: Terminal = new ProcessTerminal(),
): Promise<void> {
  const { promise: left, resolve: quit } = deferred<void>()
  setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS, unbound))
  const theme = makeTheme({ isPainted: wantsPaint(options.env) })
  // The library draws none by this protocol once it has the whole screen; the transcript does.
  const protocol = getCapabilities().images
  const copy = createCopy(terminal, options.copyOutside)
  const tui = new TuiAltScreen(terminal, false, undefined, { mouse: true, copySelection: copy })
  const outside = createOutside(tui)
  const showTitle = createTitle(terminal)
  const editor = new Editor(tui, theme.editor, { paddingX: 1, autocompleteMaxVisible: 8 })

  let frame: NodeJS.Timeout | undefined
  const onChange = ({ kind }: Message, before: Model) => {
    asking.changed()
    notifier.changed(before, app.model())
    if (hasOtherCommands(before, app.model())) offerAgain(editor, completing)
    showTitle(app.model())
    pulse.change(isMoving(app.model()))
    if (kind !== 'fed' && kind !== 'work') return tui.requestRender()
    frame ??= setTimeout(() => {
      frame = undefined
      tui.requestRender()
    }, FRAME_MS)
  }
  /** What stands in the editor because it was given back; typing a command does away with it. */
  let givenBack: string | undefined
  const write = (text: string) => {
    givenBack = text === '' ? undefined : text
    editor.setText(text)
  }
  const looks = createLook({ ...options, theme, tui, tell: (message) => app.tell(message) })
  const app = createApp(options, {
    onChange,
    quit,
    write,
    copy: async (text) => (await copy(text)) && 'clipboard',
    outside,
    closesPages: true,
    isLooking: () => !notifier.isAway(),
    isWriting: () => editor.getText() !== '',
    keys: screenKeys,
    look: looks.look,
  })
  const notifier = createNotifier({
    by: options.settings.notify ?? 'auto',
    env: options.env,
    write: (data) => terminal.write(data),
    clock: () => performance.now(),
  })
  onEveryInput(terminal, (data) => {
    const wasAway = notifier.isAway()
    notifier.heard(data)
    if (wasAway && !notifier.isAway()) app.conversation.look()
  })
  const pulse = createPulse(SIGN_MS, () => tui.requestRender())

  const asking = createAsking({
    model: app.model,
    tell: app.tell,
    conversation: app.conversation,
    askLine: app.dialogs.ask,
    text: () => editor.getText(),
  })

  const pictures = createPictures({
    protocol,
    read: (sha256) => app.conversation.readBlob(sha256),
    onReady: () => tui.requestRender(),
  })
  const screen = createScreen({
    theme,
    pictures,
    model: app.model,
    rows: () => terminal.rows,
    editor,
    now: options.now,
    onTop: () => queueMicrotask(() => void app.conversation.loadOlder()),
    onWheel: (lines) => scroll(-lines),
  })

  function scroll(up: number | 'end'): void {
    const model = app.model()
    const anchor =
      up === 'end' ? undefined : screen.flow.moved(model, terminal.columns, screen.height(), up)
    app.tell({ kind: 'scroll', anchor })
    if (anchor === undefined && model.window.isDetached) app.conversation.reload()
  }

  async function editInOwnEditor(): Promise<void> {
    const fail = (error: unknown) => app.tell({ kind: 'say', text: errorText(error), tone: 'bad' })
    await outside(() => options.editOutside(editor.getExpandedText()))
      .then((text) => editor.setText(text))
      .catch(fail)
    tui.requestRender(true)
  }

  const taking = {
    pictures: options.pictures,
    pastes: app.pastes,
    insert(text: string) {
      editor.insertTextAtCursor(text)
      tui.requestRender()
    },
    hint: (text: string) => app.tell({ kind: 'hint', text }),
  }

  const press = createPress({
    model: app.model,
    now: () => options.now().getTime(),
    editor,
    keepPaste: app.pastes.keep,
    takePicture: (path) => void takePicture(taking, path),
    dialog: app.dialogs.press,
    picker: app.picker.press,
    page: (key) => turnPage(app, key),
    scroll,
    fold: () => app.tell({ kind: 'fold' }),
    pick: () => app.perform('/resume'),
    searchHistory: app.searchHistory,
    edit: () => void editInOwnEditor(),
    suspend: () => void outside(options.suspend),
    nextMode: app.nextMode,
    putAside() {
      const text = editor.getExpandedText()
      editor.addToHistory(text)
      void app.keep(text)
      editor.setText('')
    },
    redo() {
      editor.setText('')
      app.perform('/redo')
    },
    closeOldList: () => closeOldList(editor, completing),
    isGivenBack: () => givenBack !== undefined && editor.getText() === givenBack,
    help: () => app.perform('/help'),
    rewind: () => app.perform('/rewind'),
    cancel() {
      const prompt = unanswered(app.model())
      app.conversation.cancel()
      if (prompt !== undefined && editor.getText() === '') editor.setText(prompt)
    },
    steer() {
      const text = editor.getExpandedText()
      editor.setText('')
      app.steer(text)
    },
    quit,
    hint: (text) => app.tell({ kind: 'hint', text }),
    askAgain: () => app.perform('/retry'),
    asked: asking.press,
    vim: (key) => looks.press(key, editor),
    takeBack() {
      const text = app.conversation.takeBack()
      if (text !== undefined) editor.setText(text)
      return text !== undefined
    },
  })

  editor.onSubmit = (text) => {
    if (text.trim() !== '') editor.addToHistory(text)
    looks.sent()
    app.submit(text)
  }
  const completing = completion(app.table, options.listFiles, app.readCommands)
  editor.setAutocompleteProvider(completing)
  tui.addChild(screen)
  tui.setFocus(editor)
  tui.addInputListener((data) => {
    const [escape, typed] = partedEscape(data, app.model().vim !== undefined)
    if (escape !== undefined && !press(escape)) editor.handleInput(escape)
    const isDone = press(typed)
    if (isDone || escape !== undefined) tui.requestRender()
    return isDone ? { consume: true } : { data: typed }
  })
  options.signal.addEventListener('abort', () => quit(), { once: true })

  tui.start()
  tui.renderNow()
  looks.start()
  app.start()
  void recall(app, editor)
  try {
    if (!options.signal.aborted) await left
  } finally {
    clearTimeout(frame)
    pulse.stop()
    asking.stop()
    tui.stop()
    await app.keep(givenBack === editor.getText() ? '' : editor.getExpandedText())
    app.conversation.stop()
    const farewell = app.farewell()
    if (farewell !== undefined) terminal.write(`${farewell}\r\n`)
  }
}

async function recall({ history }: Pick<App, 'history'>, editor: Editor): Promise<void> {
  // Earlier messages are a convenience; without them everything else works.
  const texts = await history.load().catch(() => [])
  for (const text of texts) editor.addToHistory(text)
}

function turnPage({ model, tell }: Pick<App, 'model' | 'tell'>, key: string) {
  const { page } = model()
  if (page === undefined) return
  const by = { up: -1, down: 1, pageUp: -15, pageDown: 15, space: 15 }[key]
  const isClosing = ['escape', 'enter', 'q', 'ctrl+c'].includes(key)
  if (by !== undefined) tell({ kind: 'page', page: { ...page, top: Math.max(0, page.top + by) } })
  else if (isClosing) tell({ kind: 'page', page: undefined })
}

const hasOtherCommands = (before: Model, after: Model): boolean =>
  before.offered !== after.offered || before.ofFiles !== after.ofFiles

/** Scrolling is ours: these keys would move a viewport that is never larger than the screen. */
const unbound = Object.fromEntries(
  Object.keys(TUI_KEYBINDINGS)
    .filter((name) => name.startsWith('tui.altScreen.'))
    .map((name) => [name, []]),
)

function createTitle(terminal: Terminal): (model: Model) => void {
  let shown = ''
  return (model) => {
    const title = titleOf(model)
    if (title !== shown) terminal.setTitle((shown = title))
  }
}
