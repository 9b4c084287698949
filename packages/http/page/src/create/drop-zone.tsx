import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { listChosen, listDropped } from './collect-files.ts'
import type { Load } from './pick-file.tsx'

/** Takes files and folders that are dropped or chosen. */
export function DropZone({ load }: Load): JSX.Element {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (event.dataTransfer !== null) listDropped(event.dataTransfer).then(load, () => undefined)
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what can be dropped can be chosen with the fields inside.
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDrop={drop}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
    >
      <Picker label="Choose a file" load={load}>
        Drop a file here, or a folder
      </Picker>
      {'webkitdirectory' in HTMLInputElement.prototype && (
        <Picker label="Choose a folder" load={load} isFolder />
      )}
      <p class="hint">
        JSON, JSON lines, any text, or a folder of them. Exports of ChatGPT, Claude, Letta, Mem0,
        ElizaOS, LangGraph, Graphiti or Zep, Cognee (COGX) and MCP servers are recognised.
      </p>
    </div>
  )
}

type PickerProps = Load & {
  readonly label: string
  readonly isFolder?: boolean
  readonly children?: string
}

/** Shows a field for files as a button; the field itself takes the focus. */
function Picker({ label, load, isFolder = false, children }: PickerProps): JSX.Element {
  return (
    <label class="picker">
      {children !== undefined && <strong>{children}</strong>}
      <span class="button">{label}</span>
      <input
        type="file"
        class="unseen"
        {...(isFolder && { webkitdirectory: true })}
        onChange={({ currentTarget }) => {
          load(listChosen(currentTarget.files))
          // Choosing the same file again is a change too.
          currentTarget.value = ''
        }}
      />
    </label>
  )
}
