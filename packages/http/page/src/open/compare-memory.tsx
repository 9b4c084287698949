import type { Change, Diff } from '@heirloom/adapters/internal/diff/change'
import { diffLines } from '@heirloom/adapters/internal/diff/lines'
import { useState } from 'preact/hooks'
import type { Lineage } from '../../../src/client/responses.ts'
import { usableWallet } from '../acts/use-act.ts'
import { type Problem, toProblem } from '../api/problem.ts'
import { Select } from '../parts/form-fields.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { Button, MoreButton } from '../parts/section.tsx'
import { inWorker } from '../worker-calls.ts'
import type { CompareHandlers } from './compare-worker.ts'
import { type DownloadedMemory, downloadMemory } from './download-memory.ts'

type Props = { readonly lineage: Lineage; readonly opened: DownloadedMemory }

/** Compares two documents in a worker, so that the page stays usable. */
const diffInWorker = inWorker<CompareHandlers>({
  start: () => new Worker(new URL('./compare-worker.ts', import.meta.url), { type: 'module' }),
  limit: 120_000,
  tooLong: 'These two versions take too long to compare.',
})

type State =
  | { readonly at: 'choosing'; readonly problem?: Problem }
  | { readonly at: 'comparing' }
  | { readonly at: 'same'; readonly other: string }
  | { readonly at: 'compared'; readonly other: string; readonly diff: Diff }

/** Compares an opened memory with another one of its lineage. */
export function CompareMemory({ lineage, opened }: Props): JSX.Element | undefined {
  const relatives = [...lineage.ancestors, ...lineage.descendants]
  const [chosen, setChosen] = useState(relatives[0]?.token.tokenId)
  const [state, setState] = useState<State>({ at: 'choosing' })
  const wallet = usableWallet()
  const { tokenId } = lineage.token
  if (chosen === undefined || wallet === undefined) return undefined
  const compare = () => {
    const relative = relatives.find(({ token }) => token.tokenId === chosen)
    if (relative?.token.contentHash === lineage.token.contentHash) {
      return setState({ at: 'same', other: chosen })
    }
    setState({ at: 'comparing' })
    // A grant of a name opens its other versions, too; for those beside one token one needs a right.
    const grant = opened.granted?.name == null ? undefined : opened.granted.id
    downloadMemory(chosen, { wallet, grant, onStep: () => undefined }).then(
      (other) => {
        // The older token has the lower number.
        const isNewer = BigInt(chosen) > BigInt(tokenId)
        const [before, after] = isNewer ? [opened, other] : [other, opened]
        const documents = { before: before.document, after: after.document }
        return diffInWorker((calls) => calls.diff(documents)).then((diff) =>
          setState({ at: 'compared', other: chosen, diff }),
        )
      },
      (error: unknown) => setState({ at: 'choosing', problem: toProblem(error) }),
    )
  }
  return (
    <section class="compare" aria-labelledby="compare">
      <h3 id="compare" tabIndex={-1}>
        Compare
      </h3>
      <div class="choice">
        <label for="compare-with">This version with</label>
        <Select
          id="compare-with"
          chosen={chosen}
          choose={setChosen}
          options={relatives.map(({ token: { tokenId: id, card } }) => [
            id,
            `No. ${id}${id === lineage.token.parent ? ', its parent' : ''}${card === null ? '' : `, ${card.title}`}`,
          ])}
        />
        <Button name="Compare" onClick={compare} disabled={state.at === 'comparing'} />
      </div>
      {state.at === 'choosing' && state.problem !== undefined && (
        <ProblemNotice problem={state.problem} />
      )}
      {state.at === 'same' && <Same {...state} tokenId={tokenId} />}
      {state.at === 'comparing' && <p role="status">Opening and comparing…</p>}
      {state.at === 'compared' && <Compared {...state} tokenId={tokenId} />}
    </section>
  )
}

/** Shows that two tokens stand for one memory, which needs no access to the other one. */
function Same({ other, tokenId }: { readonly other: string; readonly tokenId: string }) {
  return (
    <p role="status">
      No. {tokenId} and No. {other} are the same, byte for byte: a licensed fork takes over the
      memory of its parent. To see differences, choose a version that was changed.
    </p>
  )
}

type ComparedProps = { readonly other: string; readonly tokenId: string; readonly diff: Diff }

function Compared({ other, tokenId, diff }: ComparedProps): JSX.Element {
  const { changes, isIdentical } = diff
  const isNewer = BigInt(other) > BigInt(tokenId)
  const [older, newer] = isNewer ? [tokenId, other] : [other, tokenId]
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`
  const kinds = [...Map.groupBy(changes, ({ kind }) => kind)]
  const sums = kinds.map(([kind, some]) => `${some.length} ${kind}`).join(', ')
  const nothing = isIdentical
    ? 'are the same, byte for byte'
    : 'have the same values, but other white space or escapes'
  return (
    <>
      <p role="status">
        {changes.length === 0
          ? `No. ${older} and No. ${newer} ${nothing}.`
          : `${count} from No. ${older} to No. ${newer}: ${sums}. Both were verified in this browser.`}
      </p>
      <ChangeList key={`${older}/${newer}`} changes={changes} />
    </>
  )
}

/** The number of changes that are shown at a time. */
const pageSize = 50

/** Lists changes: what is gone and what is new. */
function ChangeList({ changes }: { readonly changes: readonly Change[] }): JSX.Element {
  const [shown, setShown] = useState(pageSize)
  return (
    <>
      <ul class="changes">
        {changes.slice(0, shown).map((change, at) => (
          <li key={at}>
            <p class="place">
              {words[change.kind]}{' '}
              <code>{change.path === '' ? 'the whole' : showText(change.path)}</code>
            </p>
            <Values of={change} />
          </li>
        ))}
      </ul>
      <MoreButton left={changes.length - shown} onClick={() => setShown(shown + pageSize)} />
    </>
  )
}

const words = { added: 'Added', removed: 'Removed', changed: 'Changed', moved: 'Moved' } as const

function Values({ of: change }: { readonly of: Change }): JSX.Element | undefined {
  if (change.kind === 'moved') return undefined
  if (change.kind === 'added') return <Line in="after" text={change.value} />
  if (change.kind === 'removed') return <Line in="before" text={change.value} />
  const { before, after } = change
  const texts = [before, after].map((it): unknown => (it.startsWith('"') ? JSON.parse(it) : it))
  const [older, newer] = texts.map(String)
  const hasLines = before.startsWith('"') && after.startsWith('"') && texts.join().includes('\n')
  if (!hasLines || older === undefined || newer === undefined) {
    return (
      <>
        <Line in="before" text={before} />
        <Line in="after" text={after} />
      </>
    )
  }
  return (
    <>
      {diffLines(older, newer).map(({ from, lines }) => (
        <div key={from}>
          <p class="kind">Line {from}</p>
          {lines.map((line, at) => (
            <Line key={at} {...line} />
          ))}
        </div>
      ))}
    </>
  )
}

type LineProps = { readonly in: 'before' | 'after' | 'both'; readonly text: string }

/** Shows a value or a line that is gone, new, or the same. */
function Line({ in: side, text }: LineProps): JSX.Element {
  const shown = <bdi dir="auto">{showText(text)}</bdi>
  if (side === 'both') return <p class="line">{shown}</p>
  return <p class="line">{side === 'before' ? <del>{shown}</del> : <ins>{shown}</ins>}</p>
}

/** The most characters of a value that are shown. */
const mostCharacters = 600

// Characters that show as nothing, or change how the text around them is shown.
const misleading = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Returns a text for display: its beginning if it is long, with escapes for characters that are not
 * seen, so that two texts that differ look different.
 */
export function showText(text: string): string {
  const rest = text.length - mostCharacters
  const shown = text
    .slice(0, mostCharacters)
    .replace(misleading, (it) => (it === '\n' ? ' ' : `\\u{${it.codePointAt(0)?.toString(16)}}`))
  return rest > 0 ? `${shown}… and ${rest.toLocaleString('en')} more characters` : shown
}
