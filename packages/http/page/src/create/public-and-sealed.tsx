import type { JSX } from 'preact'
import type { Token } from '../../../src/client/responses.ts'
import { now } from '../now.ts'
import { MemoryCard } from '../views/memory-card.tsx'
import { byteWords } from '../views/provenance-facts.tsx'
import { connected } from '../wallet/connected-wallet.ts'
import { cardOf, type Draft } from './draft.ts'
import { labels } from './build-request-body.ts'
import type { Source } from './source.ts'

type Props = { readonly source: Source; readonly draft: Draft }

/** Shows what would be public of a memory, and what would be sealed. */
export function PublicAndSealed({ source, draft }: Props): JSX.Element {
  const card = cardOf(draft)
  return (
    <section class="panel" aria-labelledby="seen">
      <h2 id="seen">4. Who will see what</h2>
      <div class="sides">
        <div class="side public">
          <h3>Public, for ever</h3>
          <ul>
            <li>That the memory exists, since when, and the number of its token</li>
            <li>The wallets that made and own it</li>
            <li>A hash that gives nothing away, and where the sealed block is kept</li>
            {draft.parent.trim() !== '' && <li>That it grew from No. {draft.parent.trim()}</li>}
            <li>{card === undefined ? 'No card: nothing of what is inside' : 'The card below'}</li>
          </ul>
        </div>
        <div class="side secret">
          <h3>Sealed</h3>
          <ul>
            <li>The file: {byteWords(new Blob([source.data]).size)}</li>
            <li>
              Its metadata: <code class="wrap">{source.metadata ?? labels(draft)}</code>
            </li>
          </ul>
          <p class="hint">
            Opens to its owner and to those who rent it. The keeper of this server has the key.
          </p>
        </div>
      </div>
      {card !== undefined && (
        <section class="sample" aria-label="The card as others see it">
          <MemoryCard token={{ ...sample(), card }} />
        </section>
      )}
    </section>
  )
}

/** Stands for the token that does not exist yet. */
function sample(): Token {
  const account = connected.value?.account ?? '0x0000000000000000000000000000000000000000'
  return {
    tokenId: '',
    contentHash: '0x8f3a52c1d9e07b64a1f2c3d4e5968778695a4b3c2d1e0f1029384756aabbccdd',
    storageUri: '',
    creator: account,
    owner: account,
    parent: '0',
    link: null,
    royaltyBps: null,
    timestamp: String(now.value),
    block: '0',
    txHash: '0x',
    originality: 'original',
    card: null,
    listing: null,
  }
}
