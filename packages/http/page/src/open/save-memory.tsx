import type { FormatName } from '@heirloom/adapters/formats'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { announce } from '../announce.ts'
import { describeFormat } from '../formats/describe-format.ts'
import type { SaveChoices } from '../formats/export-files.ts'
import { withFormats } from '../formats/with-formats.ts'
import { saveFile } from '../parts/save-file.ts'

type Props = { readonly tokenId: string; readonly document: Blob }

/** Describes what can be saved: the sealed bundle itself, or the memory in a format. */
type Choice = 'bundle' | FormatName

/** Saves an opened memory: as the files it was made from, in other formats, or as its bundle. */
export function SaveMemory({ tokenId, document }: Props): JSX.Element {
  const choices = useSaveChoices(document)
  const [chosen, setChosen] = useState<Choice>()
  const [problem, setProblem] = useState('')
  const choice = chosen ?? choices?.original ?? 'bundle'
  const save = async () => {
    setProblem('')
    try {
      await saveAs(choice, { tokenId, document })
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <>
      <p class="buttons">
        <button type="button" class="main" onClick={save}>
          Save
        </button>
        <span>
          as{' '}
          <select
            aria-label="Save as"
            value={choice}
            onChange={({ currentTarget }) => setChosen(currentTarget.value as Choice)}
          >
            {listOptions(choices).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </span>
      </p>
      {problem !== '' && <p role="alert">{problem}</p>}
    </>
  )
}

function listOptions(
  choices: SaveChoices | undefined,
): readonly (readonly [choice: Choice, text: string])[] {
  const original = choices?.original
  return [
    ...(original === undefined
      ? []
      : [[original, `the original: ${describeFormat(original)}`] as const]),
    ['bundle', 'the sealed bundle (JSON)'],
    ...(choices?.others ?? []).map((it) => [it, describeFormat(it)] as const),
  ]
}

function useSaveChoices(document: Blob): SaveChoices | undefined {
  const [choices, setChoices] = useState<SaveChoices>()
  useEffect(() => {
    // Without an answer the bundle can be saved all the same.
    withFormats((calls) => calls.listSaveChoices(document)).then(setChoices, () => undefined)
  }, [document])
  return choices
}

async function saveAs(choice: Choice, { tokenId, document }: Props): Promise<void> {
  const name = `memory-${tokenId}`
  if (choice === 'bundle') {
    saveFile(document, `${name}.json`)
    return
  }
  const options = { document, format: choice, name }
  const saved = await withFormats((calls) => calls.exportFiles(options))
  saveFile(saved.blob, saved.name)
  if (saved.left.length > 0) {
    throw new Error(
      `Some files were left out, because their names are not safe: ${saved.left.join(', ')}.`,
    )
  }
  announce(`Saved ${saved.name}.`)
}
