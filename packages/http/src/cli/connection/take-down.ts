import type { ListInput } from '../../client/requests.ts'
import type { Listing } from '../../client/responses.ts'
import type { Call } from '../arguments/command.ts'
import { joinWords } from '../arguments/read-call.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { promptConfirm } from '../terminal/prompt.ts'
import { canPrompt } from '../terminal/terminal.ts'

/** Each kind of offer, by the name of its price. */
const kinds = [
  ['price', 'sale'],
  ['rentalPricePerDay', 'rent'],
  ['forkPrice', 'fork'],
] as const

type Prices = Pick<ListInput, 'price' | 'rentalPricePerDay' | 'forkPrice' | 'dollars'>

/** Returns the kinds of offers that a listing has, and new terms have not. */
export const takenDown = (before: Listing, after: Prices): readonly string[] =>
  kinds
    .filter(([price]) => isOffered(before, price) && !isOffered(after, price))
    .map(([, kind]) => kind)

const isOffered = (terms: Prices, price: (typeof kinds)[number][0]): boolean =>
  BigInt(terms[price]) > 0n || BigInt(terms.dollars?.[price] ?? 0) > 0n

type ConfirmCall = Pick<
  Call<never, { readonly yes: { readonly type: 'boolean'; readonly about: string } }>,
  'terminal' | 'output' | 'options'
>

/**
 * Asks a person before offers are taken down; without one, requires `--yes`.
 *
 * @throws `Declined`, a `UsageError`
 */
export async function confirmTakeDown(
  { terminal, output, options }: ConfirmCall,
  { id, down }: { readonly id: string; readonly down: readonly string[] },
): Promise<void> {
  if (down.length === 0 || options.yes) return
  const problem = takeDownText(id, down)
  if (canPrompt(terminal) && !output.json) return promptConfirm(terminal, `${problem} Go on?`)
  throw new UsageError(
    `${problem} Pass --yes if that is meant, or keep them with heirloom offer ${id}.`,
  )
}

/** Returns what new terms end, as a sentence. */
export const takeDownText = (id: string, down: readonly string[]): string =>
  `The new terms end the offer of token ${id} for ${joinWords(down, 'and')}.`
