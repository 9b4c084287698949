import type { JSX } from 'preact'
import type { Lineage } from '../../../src/client/responses.ts'
import { Account } from '../parts/account.tsx'
import { Moment } from '../parts/moment.tsx'
import { UserText } from '../parts/user-text.tsx'

/** The most versions that are listed before and after the opened one. */
const mostListed = 20

/** Lists the versions around an opened memory, the newest first. */
export function VersionLog({ lineage }: { readonly lineage: Lineage }): JSX.Element {
  const { token, ancestors, descendants } = lineage
  const others = [...ancestors.slice(0, mostListed), ...descendants.slice(0, mostListed)]
  const versions = [token, ...others.map((it) => it.token)].toSorted((one, other) =>
    BigInt(one.tokenId) < BigInt(other.tokenId) ? 1 : -1,
  )
  return (
    <ol class="ledger" aria-label="Versions, the newest first">
      {versions.map(({ tokenId, card, timestamp, creator, link }) => (
        <li key={tokenId}>
          <span>
            {tokenId === token.tokenId ? (
              <strong>No. {tokenId}, this one</strong>
            ) : (
              <a href={`/token/${tokenId}`}>No. {tokenId}</a>
            )}{' '}
            {card !== null && <UserText of={card.title} />} {link === 'fork' && '(fork)'}
          </span>
          <small class="hint">
            <Moment at={timestamp} /> by <Account of={creator} />
          </small>
        </li>
      ))}
    </ol>
  )
}
