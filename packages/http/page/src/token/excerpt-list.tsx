import { hash, isUnderRoot, readFacts } from '@heirloom/core'
import { sha256Fallback } from '../../../src/client/content-hash.ts'
import type { Excerpts, Token } from '../../../src/client/responses.ts'
import { useRead } from '../api/use-resource.ts'
import { Sample } from '../parts/table.tsx'
import { AskMemory, excerptsDocument } from './ask-memory.tsx'

/** Shows the excerpts of a memory, after their proofs were checked in this browser. */
export function ExcerptList({ token }: { readonly token: Token }): JSX.Element | undefined {
  const { value } = useRead('excerpts', { tokenId: token.tokenId })
  if (value === undefined || value.mark === null) return undefined
  const isChecked = areUnderRoot(value)
  // Facts are shown beside the terms, unless something is wrong with them.
  const shown = value.excerpts.filter(
    (it) => !isChecked || Object.keys(readFacts([it])).length === 0,
  )
  if (shown.length === 0) return undefined
  return (
    <section aria-labelledby="excerpts">
      <h2 id="excerpts">
        Sample <span class="badge">{isChecked ? value.mark : 'not proven'}</span>
      </h2>
      <p class="hint">{isChecked ? explanation[value.mark] : unproven}</p>
      {isChecked && <AskMemory what="this sample" {...excerptsDocument(shown)} />}
      {shown.map((it) => (
        <div key={it.pointer}>
          <p class="number">
            <code class="wrap">{it.pointer}</code>
          </p>
          <Sample text={it.value} name={`The value at ${it.pointer}`} />
        </div>
      ))}
    </section>
  )
}

const explanation = {
  proven: 'This server checked that these values are in the memory when it sealed it.',
  committed:
    'The sealed memory commits to these values, but this server has not seen what is in it. Once you open it, you see whether they are true.',
}

const unproven = 'The proofs of these values are wrong. Do not trust them, and tell the operator.'

const areUnderRoot = ({ root, excerpts }: Excerpts): boolean =>
  root !== null && excerpts.every((it) => isUnderRoot(it, hash(root), sha256Fallback))
