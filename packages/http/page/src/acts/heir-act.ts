import type { Hex } from 'viem'

type OfAccount = { readonly account: Hex }

/** An act of an account that has an heir, or of that heir. */
export type HeirAct =
  | {
      readonly kind: 'name-heir'
      readonly heir: Hex
      readonly silenceDays: number
      readonly noticeDays: number
    }
  | { readonly kind: 'clear-heir' }
  | { readonly kind: 'heartbeat' }
  | (OfAccount & { readonly kind: 'announce-takeover' })
  | (OfAccount & { readonly kind: 'take-over'; readonly tokenIds: readonly string[] })
  | (OfAccount & { readonly kind: 'take-over-credit' })

type Kind = HeirAct['kind']

/** The results of the acts that succeeded. */
export const heirResults: { readonly [kind in Kind]: () => string } = {
  'name-heir': () => 'Your heir is named. This was a sign of life, too.',
  'clear-heir': () => 'You have no heir.',
  heartbeat: () => 'You gave a sign of life. The silence starts anew.',
  'announce-takeover': () => 'The takeover is announced, and the notice runs.',
  'take-over': () => 'The memories are yours.',
  'take-over-credit': () => 'The credit is yours. You can withdraw it under My memories.',
}

/** Describes what each act does. */
export const heirDescriptions: { readonly [kind in Kind]: string } = {
  'name-heir':
    'Everybody can see this. The heir gets nothing now: it may take over your memories and your credit after the silence and the notice, unless you give a sign of life. Any heir before is replaced.',
  'clear-heir': 'Nobody can take over your memories any more, and a takeover under way ends.',
  heartbeat: 'It ends a takeover under way, and your silence starts anew.',
  'announce-takeover':
    'Everybody can see this. The notice starts now. Any sign of life of the account ends the takeover.',
  'take-over':
    'You become the owner, for good. Listings end; current rentals continue until they expire.',
  'take-over-credit': 'Payments that the account could not receive become yours to withdraw.',
}

/** Returns whether an act is about heirs. */
export const isHeirAct = (act: { readonly kind: string }): act is HeirAct => act.kind in heirResults
