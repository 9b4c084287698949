import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useEnsAccount, useNamedVersion, useSettled } from '../api/use-ens-account.ts'
import { useRead } from '../api/use-resource.ts'
import { findDestination, isSearchable } from '../browse/browse-query.ts'
import { theme, toggleTheme } from '../masthead.tsx'
import { isExact, toggleExact } from '../parts/amount.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Check } from '../parts/form-fields.tsx'
import { Fact } from '../parts/section.tsx'
import { UserText } from '../parts/user-text.tsx'
import { navigate } from '../route.ts'
import { type Command, findCommands, type Setting } from './find-commands.ts'
import { commandKeys, hasSingleKeys, openPanel, type Panel, toggleSingleKeys } from './shortcuts.ts'

// The event of a dialog that closed comes late, when a command may have opened another.
const closing = (panel: Panel) => () => {
  if (openPanel.value === panel) openPanel.value = undefined
}

const close = closing('commands')

const closeShortcuts = closing('shortcuts')

/** Shows the dialog that a shortcut opened. */
export const OpenPanel = (): JSX.Element =>
  openPanel.value === 'shortcuts' ? <ShortcutsDialog /> : <CommandDialog />

/** Shows the dialog with the commands of the page, which one field finds. */
function CommandDialog(): JSX.Element {
  const [text, setText] = useState('')
  const { account, note } = useEnsAccount(text)
  // A dialog that opens focuses its heading first.
  useEffect(() => document.querySelector<HTMLElement>('dialog[open] .command')?.focus(), [])
  const isDark = theme.value === 'dark'
  const found = useFound(text)
  const version = useNamedVersion(text)
  const state = { isDark, isExact: isExact.value, named: account, version: version.found }
  const commands = findCommands(text, { ...state, ...found })
  const said = account === undefined ? note || version.note : ''
  return (
    <Dialog title="Commands" onClose={close}>
      <Chooser text={text} setText={setText} commands={commands} />
      <p class="hint" role="status">
        {said || `${commands.length} commands`}
      </p>
    </Dialog>
  )
}

/** The pause in typing before memories are looked for, in milliseconds. */
const debounce = 150

/** Finds memories on the market, and accounts by their names, for a text as it is typed. */
function useFound(text: string) {
  const search = useSettled(text.trim(), debounce)
  const canAsk =
    isSearchable(search) && search.length <= 60 && findDestination(search) === undefined
  const query = { search, match: 'any', sort: 'relevance', group: 'family', limit: 6 }
  const memories = useRead('listings', canAsk ? query : undefined).value?.items
  const named = useRead('profiles', canAsk ? { name: search.slice(0, 40) } : undefined).value?.items
  return canAsk && search === text.trim() ? { memories, profiles: named } : {}
}

/** Runs a command after its dialog gave the focus back: a view that is opened takes it from there. */
function closeAndRun(command: Command): void {
  document.querySelector<HTMLDialogElement>('dialog[open]')?.close()
  close()
  runCommand(command)
}

type ChooserProps = {
  readonly text: string
  readonly setText: (text: string) => void
  readonly commands: readonly Command[]
}

/** Shows a field and the commands that it finds: for ARIA a combobox with a list. */
function Chooser({ text, setText, commands }: ChooserProps): JSX.Element {
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const command = commands[chosen]
    if (step !== undefined) setChosen((chosen + step + commands.length) % commands.length)
    else if (event.key !== 'Enter') return
    else if (command !== undefined) closeAndRun(command)
    event.preventDefault()
  }
  const type = (typed: string) => {
    setText(typed)
    setChosen(0)
  }
  return (
    <>
      <input
        class="command"
        type="text"
        role="combobox"
        aria-label="A view, the number of a memory, an account, or words to search"
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={`${id}-${chosen}`}
        autocomplete="off"
        spellcheck={false}
        maxLength={300}
        placeholder="View, No., account, or words to search"
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Options id={id} commands={commands} chosen={chosen} />
    </>
  )
}

type OptionsProps = {
  readonly id: string
  readonly commands: readonly Command[]
  readonly chosen: number
}

function Options({ id, commands, chosen }: OptionsProps): JSX.Element {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    ref.current?.children[chosen]?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <div ref={ref} id={id} class="commands" role="listbox" aria-label="Commands">
      {commands.map((command, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field of the combobox has the keys.
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field (aria-activedescendant).
        <div
          key={`${command.kind} ${command.name}`}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === chosen}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => closeAndRun(command)}
        >
          <UserText of={command.name} /> <small>{command.kind}</small>
        </div>
      ))}
    </div>
  )
}

const changeSetting: Readonly<Record<Setting, () => void>> = {
  theme: toggleTheme,
  exactness: toggleExact,
  shortcuts: () => {
    openPanel.value = 'shortcuts'
  },
}

/** Runs a command. */
function runCommand(command: Command): void {
  if ('setting' in command) changeSetting[command.setting]()
  else {
    navigate(command.path)
    if (command.heading !== undefined) focusHeading(command.heading)
  }
}

/** The longest wait for a heading that is loaded, in milliseconds. */
const longestWait = 5000

/** Focuses a heading of the view once it is there, unless the visitor acts first. */
function focusHeading(text: string): void {
  const stop = new AbortController()
  const { signal } = stop
  const look = () => {
    const headings = [...document.querySelectorAll<HTMLElement>('main h2')]
    const heading = headings.find(({ textContent }) => textContent === text)
    if (heading === undefined) return
    heading.tabIndex = -1
    heading.focus()
    stop.abort()
  }
  const observer = new MutationObserver(look)
  signal.addEventListener('abort', () => observer.disconnect())
  observer.observe(document.body, { subtree: true, childList: true })
  // The capture phase of the key that chose the command is over.
  for (const kind of ['keydown', 'pointerdown', 'wheel']) {
    addEventListener(kind, () => stop.abort(), { signal, passive: true, capture: true })
  }
  setTimeout(() => stop.abort(), longestWait)
  look()
}

const shortcuts = [
  [commandKeys.shown, 'Commands: go to a view, a memory or an account, or search'],
  ['/', 'Search'],
  ['?', 'Keyboard shortcuts'],
  ['Esc', 'Close a dialog'],
] as const

/** Shows the shortcuts of the page, and whether those of a single key act. */
function ShortcutsDialog(): JSX.Element {
  return (
    <Dialog title="Keyboard shortcuts" onClose={closeShortcuts}>
      <dl class="facts">
        {shortcuts.map(([key, meaning]) => (
          <Fact key={key} name={<kbd>{key}</kbd>} value={meaning} />
        ))}
      </dl>
      <Check isChecked={hasSingleKeys.value} setChecked={toggleSingleKeys}>
        Shortcuts of a single key: <kbd>/</kbd> and <kbd>?</kbd>
      </Check>
    </Dialog>
  )
}
