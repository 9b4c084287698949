import type { JSX } from 'preact'
import { percentOfBps } from '../text/describe-split.ts'
import type { Act } from './act.ts'

const words: { readonly [kind in Act['kind']]: string } = {
  buy: 'The token becomes yours, with the memory behind it. Rentals that run now go on until they end.',
  rent: 'You can open the memory until the rental ends; nobody can take that back. It stays its owner’s.',
  fork: 'You get a token of your own for the same memory, with this one as its parent.',
  list: 'Anybody can take the offer until you change it, take it down, or the token changes hands.',
  'take-down':
    'Nobody can buy, rent or fork it any more. Rentals that run now go on until they end.',
  royalty: 'The amount goes to the wallet that made the memory, at once.',
  withdraw: 'Payments that could not be delivered to this wallet are paid out to it now.',
}

/** What is otherwise where the token shows a copy of another memory. */
const wordsOfCopy: { readonly [kind in Act['kind']]?: string } = {
  buy: 'The token becomes yours, and opens nothing.',
  rent: 'The rental opens nothing.',
  fork: 'You get a token of your own with this one as its parent, and it opens nothing.',
}

type Props = { readonly act: Act; readonly isCopy: boolean }

/** Says what an act does. */
export function ActWords({ act, isCopy }: Props): JSX.Element {
  return (
    <>
      <p>{(isCopy ? wordsOfCopy[act.kind] : undefined) ?? words[act.kind]}</p>
      {act.kind === 'fork' && act.royaltyBps > 0 && (
        <p>
          Whenever your fork is sold, rented or forked, {percentOfBps(act.royaltyBps)} of the price
          goes to those it came from. That is fixed now and for ever.
        </p>
      )}
    </>
  )
}
