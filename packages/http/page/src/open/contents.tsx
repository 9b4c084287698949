import type { FormatName } from '@heirloom/adapters/formats'
import { useState } from 'preact/hooks'
import { describeLie } from '../../../src/client/check-sample.ts'
import type { Token } from '../../../src/client/responses.ts'
import { readNow } from '../api/get-json.ts'
import { useAnswer } from '../api/use-answer.ts'
import { describeFormat } from '../formats/describe-format.ts'
import type { SaveChoices } from '../formats/export-files.ts'
import { withFormats } from '../formats/with-formats.ts'
import { announce } from '../parts/announce.ts'
import { Select } from '../parts/form-fields.tsx'
import { lazy } from '../parts/lazy.tsx'
import { Notice, NoticeBox, Unread } from '../parts/notice.tsx'
import { saveFile } from '../parts/save-file.ts'
import { Button } from '../parts/section.tsx'
import { shortenHash } from '../text/account.ts'
import { AskMemory } from '../token/ask-memory.tsx'
import { UseMemory } from '../token/use-memory.tsx'
import { useFamily } from '../token/use-token.ts'
import { type DownloadedMemory, withHashes } from './download-memory.ts'
import { ScannedContents } from './scanned-contents.tsx'

const CompareMemory = lazy(async () => (await import('./compare-memory.tsx')).CompareMemory)

type Props = { readonly token: Token; readonly opened: DownloadedMemory }

/** Shows an opened memory: that it is verified, its contents, and how its versions differ. */
export function Contents({ token, opened }: Props): JSX.Element {
  const { tokenId } = token
  const { contentHash, salt } = opened
  return (
    <>
      <NoticeBox kind="good">
        <p role="status">
          <strong>✓ This is exactly what its creator sealed.</strong>
        </p>
        <details>
          <summary>How this browser checked it</summary>
          <p>
            sha256 of the salt <code>{shortenHash(salt)}</code> and these{' '}
            {opened.document.size.toLocaleString('en')} bytes is{' '}
            <code>{shortenHash(contentHash)}</code>, as the chain records.
          </p>
        </details>
      </NoticeBox>
      <AskMemory what="the whole memory" of={opened.document} />
      <SaveMemory tokenId={tokenId} document={opened.document} />
      <SampleWarning tokenId={tokenId} opened={opened} />
      <ScannedContents isOwn={opened.isOwn} document={opened.document} />
      <Versions tokenId={tokenId} opened={opened} />
      <UseMemory token={token} grant={opened.granted?.id} />
    </>
  )
}

type VersionsProps = { readonly tokenId: string; readonly opened: DownloadedMemory }

/** Compares an opened memory with its versions, where it has some. */
function Versions({ tokenId, opened }: VersionsProps): JSX.Element {
  const family = useFamily(tokenId)
  const { ancestors = [], descendants = [] } = family.value ?? {}
  const hasVersions = ancestors.length + descendants.length > 0
  return (
    <>
      <Unread what="The list of versions" of={family} />
      {family.value !== undefined && hasVersions && (
        <CompareMemory lineage={family.value} opened={opened} />
      )}
    </>
  )
}

type SampleProps = { readonly tokenId: string; readonly opened: DownloadedMemory }

/** Warns when what was shown of the memory before is not in it. */
function SampleWarning({ tokenId, opened }: SampleProps): JSX.Element | undefined {
  const { last: lie } = useAnswer(() => findLie(tokenId, opened), [tokenId, opened])
  if (lie === undefined) return undefined
  return (
    <Notice kind="warn" role="alert">
      {lie}
    </Notice>
  )
}

async function findLie(tokenId: string, opened: DownloadedMemory): Promise<string | undefined> {
  const excerpts = await readNow('excerpts', { tokenId })
  if (excerpts.mark === null) return undefined
  const { document, salt } = opened
  const sample = { tokenId, document, salt: salt as `0x${string}`, excerpts }
  const found = await withHashes((calls) => calls.checkSample(sample))
  return found?.isTrue === false ? describeLie(found) : undefined
}

type SaveMemoryProps = { readonly tokenId: string; readonly document: Blob }

/** Describes what can be saved: the sealed bundle itself, or the memory in a format. */
type Choice = 'bundle' | FormatName

/** Saves an opened memory: as the files it was made from, in other formats, or as its bundle. */
function SaveMemory({ tokenId, document }: SaveMemoryProps): JSX.Element {
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
        <Button name="Save" class="main" onClick={save} />
        <span>
          as{' '}
          <Select
            aria-label="Save as"
            chosen={choice}
            choose={setChosen}
            options={listOptions(choices)}
          />
        </span>
      </p>
      {problem !== '' && <p role="alert">{problem}</p>}
    </>
  )
}

function listOptions(
  choices: SaveChoices | undefined,
): readonly (readonly [choice: Choice, text: string])[] {
  const { original, others = [] } = choices ?? {}
  const first = original === undefined ? [] : [original]
  return [
    ...first.map((it) => [it, `the original: ${describeFormat(it)}`] as const),
    ['bundle', 'the sealed bundle (JSON)'],
    ...others.map((it) => [it, describeFormat(it)] as const),
  ]
}

// Without an answer the bundle can be saved all the same.
const useSaveChoices = (document: Blob): SaveChoices | undefined =>
  useAnswer(() => withFormats((calls) => calls.listSaveChoices(document)), [document]).last

async function saveAs(choice: Choice, { tokenId, document }: SaveMemoryProps): Promise<void> {
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
