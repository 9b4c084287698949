import type { Excerpt } from '@heirloom/core'
import type { Token } from '../../../src/client/responses.ts'
import { deployment } from '../api/deployment.ts'
import { MemoryCard } from '../browse/memory-card.tsx'
import { now } from '../parts/moment.tsx'
import { Section } from '../parts/section.tsx'
import { UserText } from '../parts/user-text.tsx'
import { formatBytes } from '../token/provenance-facts.tsx'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { buildCard, buildMetadata, type Draft, type Source } from './draft.ts'
import type { Maker } from './maker-choice.tsx'

type Props = {
  readonly source: Source
  readonly draft: Draft
  readonly maker: Maker
  /** The number of its parent; empty when there is none. */
  readonly parent: string
  /** The values that are shown with a proof. */
  readonly excerpts: readonly Excerpt[]
}

/** Shows which parts of a memory will be public and which sealed. */
export function PublicAndSealed(props: Props): JSX.Element {
  const { source, draft, maker, parent, excerpts } = props
  const card = buildCard(draft)
  return (
    <Section id="seen" title="4. What is public, what is sealed" class="panel">
      <div class="sides">
        <div class="side public">
          <h3>Public, permanently</h3>
          <ul>
            <li>The existence of the memory, its time and the number of its token</li>
            <li>The wallets of its creator and its owner</li>
            <li>A salted hash that reveals nothing, and the storage address of the sealed block</li>
            {parent !== '' && <li>Its parent, No. {parent}</li>}
            <li>{nameDescription(draft, card !== undefined)}</li>
            {excerpts.map(({ pointer, value }) => (
              <li key={pointer}>
                With a proof, the value at <code class="wrap">{pointer}</code>:{' '}
                <code class="wrap">
                  <UserText of={value.length > 200 ? `${value.slice(0, 200)}…` : value} />
                </code>
              </li>
            ))}
          </ul>
        </div>
        <div class="side secret">
          <h3>Sealed</h3>
          <ul>
            <li>
              <UserText of={source.name} />: {formatBytes(source.size)}
            </li>
            <li>
              Its metadata:{' '}
              <code class="wrap">{source.metadata ?? buildMetadata(draft, source)}</code>
            </li>
          </ul>
          <p class="hint">
            The owner and renters can open it. The operator of this server has the key.
          </p>
        </div>
      </div>
      {card !== undefined && (
        <section class="sample" aria-label="The public description as others see it">
          <MemoryCard token={{ ...sample(maker), card }} />
        </section>
      )}
    </Section>
  )
}

const nameDescription = ({ isPublic }: Draft, hasCard: boolean): string => {
  if (!isPublic) return 'No public description'
  return hasCard ? 'The description below' : 'A public description, whose title is missing'
}

/** Returns a placeholder for the token, which does not exist yet. */
function sample(maker: Maker): Token {
  const server = deployment.value?.agent ?? '0x0000000000000000000000000000000000000000'
  const owner = connectedWallet.value?.account ?? server
  return {
    tokenId: '',
    contentHash: '0x8f3a52c1d9e07b64a1f2c3d4e5968778695a4b3c2d1e0f1029384756aabbccdd',
    storageUri: '',
    creator: maker === 'wallet' ? owner : server,
    owner,
    parent: '0',
    link: null,
    royaltyBps: null,
    timestamp: String(now.value),
    block: '0',
    txHash: '0x',
    originality: 'original',
    card: null,
    sample: null,
    listing: null,
    erasedAt: null,
  }
}
