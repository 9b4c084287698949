import { useState } from 'preact/hooks'
import type { Choice, ChosenFile } from './draft.ts'

/** Receives the files that a visitor chose. */
export type Load = { readonly load: (choice: Choice) => void }

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
        ElizaOS, LangGraph, LlamaIndex, Graphiti or Zep, Cognee (COGX) and MCP servers are
        recognised.
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

/** The most files of a folder that are looked at; the import has its own limits. */
const mostFiles = 20_000

/** Returns the files of a choice; those of a folder have paths below it. */
function listChosen(list: FileList | null): Choice {
  const files = [...(list ?? [])]
  const [folder = ''] = files[0]?.webkitRelativePath.split('/') ?? []
  return nameChoice(
    files.map((file) => ({ path: withoutTop(file.webkitRelativePath || file.name), file })),
    folder,
  )
}

/** Names files that were chosen together, in a folder or in none. */
function nameChoice(files: readonly ChosenFile[], folder: string): Choice {
  if (folder !== '') return { kind: 'folder', name: folder, files }
  const [first, ...others] = files
  return others.length === 0
    ? { kind: 'file', name: first?.path ?? '', files }
    : { kind: 'files', name: `${files.length} files`, files }
}

/** Removes the name of the chosen folder itself. */
const withoutTop = (path: string): string => path.split('/').slice(1).join('/') || path

/** Returns the files and the files in folders that were dropped. */
async function listDropped(dropped: DataTransfer): Promise<Choice> {
  // The list is emptied after the event, so everything is taken from it first.
  const entries = [...dropped.items].flatMap((it) => it.webkitGetAsEntry() ?? [])
  const [only, ...others] = entries
  if (only === undefined) return listChosen(dropped.files)
  const found: ChosenFile[] = []
  for (const entry of entries) await collect(entry, '', found)
  const isOneFolder = only.isDirectory && others.length === 0
  if (!isOneFolder) return nameChoice(found, '')
  return nameChoice(
    found.map((it) => ({ ...it, path: withoutTop(it.path) })),
    only.name,
  )
}

async function collect(entry: FileSystemEntry, above: string, found: ChosenFile[]): Promise<void> {
  if (found.length >= mostFiles) return
  const path = `${above}${entry.name}`
  if (entry.isDirectory) {
    const entries = await listFolder(entry as FileSystemDirectoryEntry)
    for (const inner of entries) await collect(inner, `${path}/`, found)
    return
  }
  const file = await new Promise<File>((resolve, reject) =>
    (entry as FileSystemFileEntry).file(resolve, reject),
  )
  found.push({ path, file })
}

/** Lists a folder, of which a browser reads a hundred entries at a time. */
async function listFolder(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0 || all.length >= mostFiles) return all
    all.push(...some)
  }
}
