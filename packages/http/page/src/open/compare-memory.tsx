import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Lineage } from '../../../src/client/responses.ts'
import type { Diff } from '../../../src/diff/change.ts'
import { usableWallet } from '../acts/use-act.ts'
import { type Problem, toProblem } from '../api/problem.ts'
import { ProblemNotice } from '../parts/notice.tsx'
import { Button } from '../parts/section.tsx'
import { within } from '../worker-calls.ts'
import { ChangeList } from './change-list.tsx'
import type { CompareHandlers } from './compare-worker.ts'
import { type DownloadedMemory, downloadMemory } from './download-memory.ts'

type Props = { readonly lineage: Lineage; readonly opened: DownloadedMemory }

/** The longest that two documents are compared, in milliseconds. */
const limit = 120_000

type Documents = Parameters<CompareHandlers['diff']>[0]

/** Compares two documents in a worker, so that the page stays usable. */
const diffInWorker = (documents: Documents): Promise<Diff> =>
  within<CompareHandlers, Diff>({
    start: () => new Worker(new URL('./compare-worker.ts', import.meta.url), { type: 'module' }),
    run: (calls) => calls.diff(documents),
    limit,
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
    if (contentHashOf(lineage, chosen) === lineage.token.contentHash) {
      return setState({ at: 'same', other: chosen })
    }
    setState({ at: 'comparing' })
    downloadMemory(chosen, wallet, () => undefined).then(
      (other) => {
        // The older token has the lower number.
        const isNewer = BigInt(chosen) > BigInt(tokenId)
        const [before, after] = isNewer ? [opened, other] : [other, opened]
        return diffInWorker({ before: before.document, after: after.document }).then((diff) =>
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
        <select
          id="compare-with"
          value={chosen}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        >
          {relatives.map(({ token }) => (
            <option key={token.tokenId} value={token.tokenId}>
              No. {token.tokenId}
              {token.tokenId === lineage.token.parent && ', its parent'}
              {token.card !== null && `, ${token.card.title}`}
            </option>
          ))}
        </select>
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

/** Returns the hash that the chain records of the memory of a relative. */
const contentHashOf = ({ ancestors, descendants }: Lineage, tokenId: string) =>
  [...ancestors, ...descendants].find(({ token }) => token.tokenId === tokenId)?.token.contentHash

/** Shows that two tokens stand for one memory, which needs no access to the other one. */
function Same({ other, tokenId }: { readonly other: string; readonly tokenId: string }) {
  return (
    <p role="status">
      No. {tokenId} and No. {other} are the same, byte for byte: the chain records one hash for
      both, as a licensed fork takes over the memory of its parent. To see differences, choose a
      version that was changed, or <a href="/create">create a version</a> of your own.
    </p>
  )
}

function Compared({
  other,
  tokenId,
  diff: { changes, isIdentical },
}: {
  readonly other: string
  readonly tokenId: string
  readonly diff: Diff
}): JSX.Element {
  const isNewer = BigInt(other) > BigInt(tokenId)
  const [older, newer] = isNewer ? [tokenId, other] : [other, tokenId]
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`
  const nothing = isIdentical
    ? 'are the same, byte for byte'
    : 'have the same values, but other white space or escapes'
  return (
    <>
      <p role="status">
        {changes.length === 0
          ? `No. ${older} and No. ${newer} ${nothing}.`
          : `${count} from No. ${older} to No. ${newer}. Both were verified in this browser.`}
      </p>
      <ChangeList key={`${older}/${newer}`} changes={changes} />
    </>
  )
}
