import { Countdown } from '../parts/moment.tsx'
import { BoldText } from '../parts/user-text.tsx'
import { formatBps } from '../text/describe-royalties.ts'
import { type Act, heirDescriptions } from './act.ts'
import { Extension } from './terms-table.tsx'
import type { UnmintedSeal } from './unminted-seals.ts'

const descriptions: { readonly [kind in Act['kind']]: string } = {
  buy: 'You become the owner of the token and can open its memory. Current rentals continue until they expire.',
  rent: 'You can open the memory until the rental ends, and nobody can revoke that. The owner keeps the token.',
  fork: 'You get your own token for the same memory, with this one as its parent.',
  list: 'Anyone can accept these terms until you change them, take the listing down, or transfer the token.',
  'take-down':
    'Nobody can buy, rent or fork it any more. Current rentals continue until they expire.',
  transfer:
    'The other account becomes the owner, for good: only it can give the token back. A listing ends; current rentals continue until they expire.',
  royalty: 'The amount goes directly to the wallet that created the memory.',
  withdraw: 'Payments that could not be delivered to this wallet are paid to it now.',
  mint: 'Your wallet mints the token of the sealed memory. It becomes its creator, to whom the royalties of all forks go, and its owner.',
  ...heirDescriptions,
}

/** The descriptions for a token that shows a copy of another memory. */
const copyDescriptions: { readonly [kind in Act['kind']]?: string } = {
  buy: 'You become the owner of the token, but it opens nothing.',
  rent: 'The rental opens nothing.',
  fork: 'You get your own token with this one as its parent, but it opens nothing.',
}

type Props = { readonly act: Act; readonly isCopy: boolean }

/** Describes what an act does. */
export function ActDescription({ act, isCopy }: Props): JSX.Element {
  return (
    <>
      <p>{(isCopy ? copyDescriptions[act.kind] : undefined) ?? descriptions[act.kind]}</p>
      {act.kind === 'rent' && <Extension tokenId={act.tokenId} days={act.days} />}
      {act.kind === 'transfer' && <p class="hash">To {act.to}</p>}
      <HeirDetails act={act} />
      {act.kind === 'mint' && <MintDetails {...act.seal} />}
      {act.kind === 'fork' && act.royaltyBps > 0 && (
        <p>
          Whenever your fork is sold, rented or forked, {formatBps(act.royaltyBps)} of the price
          goes to the creators of its ancestors. This cannot change later.
        </p>
      )}
    </>
  )
}

function MintDetails({ name, parent, expiresAt }: UnmintedSeal): JSX.Element {
  return (
    <>
      <p>
        <BoldText of={name} />
        {parent !== '0' && <>, derived from No. {parent}</>}
      </p>
      <p class="hint">
        It is sealed and stored for this wallet. Without a mint it is removed:{' '}
        <Countdown at={Math.floor(expiresAt / 1000)} /> left.
      </p>
    </>
  )
}

/** Shows the account and the numbers of an act about heirs. */
function HeirDetails({ act }: { readonly act: Act }): JSX.Element | undefined {
  switch (act.kind) {
    case 'name-heir':
      return (
        <>
          <p class="hash">Heir {act.heir}</p>
          <p>
            {act.silenceDays} days of silence, then {act.noticeDays} days of notice.
          </p>
        </>
      )
    case 'announce-takeover':
    case 'take-over-credit':
      return <p class="hash">From {act.account}</p>
    case 'take-over':
      return (
        <>
          <p class="hash">From {act.account}</p>
          <p>{act.tokenIds.map((id) => `No. ${id}`).join(', ')}</p>
        </>
      )
    default:
      return undefined
  }
}
