import type { JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useEnsAccount } from '../api/use-ens-account.ts'
import { isExact } from '../exactness.ts'
import { Dialog } from '../parts/dialog.tsx'
import { UserText } from '../parts/user-text.tsx'
import { theme } from '../theme.ts'
import { type Command, findCommands } from './find-commands.ts'
import { runCommand } from './run-command.ts'
import { openPanel } from './shortcuts.ts'

// The event of a dialog that closed comes late, when a command may have opened another.
const close = () => {
  if (openPanel.value === 'commands') openPanel.value = undefined
}

/** Shows the dialog with the commands of the page, which one field finds. */
export function CommandDialog(): JSX.Element {
  const [text, setText] = useState('')
  const { account, note } = useEnsAccount(text)
  // A dialog that opens focuses its heading first.
  useEffect(() => document.querySelector<HTMLElement>('dialog[open] .command')?.focus(), [])
  const isDark = theme.value === 'dark'
  const commands = findCommands(text, { isDark, isExact: isExact.value, named: account })
  return (
    <Dialog title="Commands" onClose={close}>
      <Chooser text={text} setText={setText} commands={commands} />
      <p class="hint" role="status">
        {account === undefined && note !== '' ? note : `${commands.length} commands`}
      </p>
    </Dialog>
  )
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
