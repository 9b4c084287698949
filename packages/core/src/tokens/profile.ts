import { Failure } from '../failure.ts'
import type { Account, Hex, Instant } from '../values/branded.ts'
import { misleadingSpace, misleadingText } from '../values/misleading-text.ts'

/** The words of an account about itself. All are empty for an account that takes its profile back. */
export type SelfDescription = {
  /** At most 40 characters; it must look like neither an address nor a name of ENS. */
  readonly name: string
  /** One sentence, at most 160 characters; empty for none. */
  readonly sentence: string
  /** An address that begins with `https://`, at most 200 characters; empty for none. */
  readonly link: string
}

/** The profile that an account signed. It is shown beside the address, and gives no right to anything. */
export type Profile = SelfDescription & {
  readonly account: Account
  /** The time of the signature; a later profile of the account replaces this one. */
  readonly signedAt: Instant
  /** The text that the account signed (EIP-191), so that anyone can verify the profile. */
  readonly message: string
  readonly signature: Hex
}

/** A profile, and the account that took a name first that looks the same; absent for the first itself. */
export type MarkedProfile = Profile & { readonly resembles?: Account }

/** The most UTF-16 code units of each part of a profile. */
export const profileLimits = { name: 40, sentence: 160, link: 200 } as const

/**
 * Parses how an account describes itself. Refuses what could mislead a reader, as a card does.
 *
 * @throws `profile/malformed`
 */
export function selfDescription(given: SelfDescription): SelfDescription {
  const problem = isEmpty(given) ? undefined : problemOf(given)
  if (problem !== undefined) throw new Failure('profile/malformed', { problem })
  const { name, sentence, link } = given
  return { name, sentence, link }
}

const isEmpty = (given: SelfDescription) => `${given.name}${given.sentence}${given.link}` === ''

function problemOf(given: SelfDescription): string | undefined {
  for (const part of ['name', 'sentence', 'link'] as const) {
    const [text, limit] = [given[part], profileLimits[part]]
    const problem =
      text.length > limit
        ? `must have at most ${limit} characters`
        : (misleadingText(text) ?? misleadingSpace(text))
    if (problem !== undefined) return `its ${part} ${problem}`
  }
  return problemOfName(given.name) ?? problemOfLink(given.link)
}

function problemOfName(name: string): string | undefined {
  if (!/[\p{L}\p{N}]/u.test(skeletonOf(name))) return 'its name must have a letter or a digit'
  if (/[✓✔✅☑🗸🗹]/u.test(name)) return 'its name has a mark as of one that was verified'
  if (withoutQuotes(name) !== name) return 'its name has a quotation mark or a round bracket'
  if (sayings.has(skeletonOf(name)))
    return 'its name is what is said of the reader or of the server'
  const plain = latinOf(name)
    .replace(/[。·‧ꓸ∙⋅•]/g, '.')
    .replaceAll('⋯', '..')
  if (/[\p{L}\p{N}]\s?\.\p{L}{2}/u.test(plain)) {
    return 'its name looks like a name of ENS or of a server; leave out the point'
  }
  return addresses.some((it) => it.test(plain)) ? 'its name looks like an address' : undefined
}

/**
 * Returns a name with `'` in the place of each double quotation mark and round bracket: none can end the
 * marks that it is shown in, or look like what is said of it behind them.
 */
export const withoutQuotes = (name: string): string =>
  name.replace(/["“”„‟«»()＂❝❞〝〞〟⁽⁾₍₎（）﴾﴿❨❩｟｠⦅⦆⸨⸩]/g, "'")

/** An address from its beginning, also with an o for its zero; eight digits; the first and the last four. */
const addresses = [
  /(?<![a-z0-9])(?:0\s*x|ox[a-f]*(?:[0-9]|\.\.))/,
  /(?=[a-f]*[0-9])[0-9a-f]{8}/,
  /[0-9a-f]{4}\s*\.\.+\s*[0-9a-f]{4}/,
]

/** A link to a server with a name: an address of a machine can be one of the reader's own network. */
const secureLink =
  /^https:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?(?::(?!6553[6-9]|655[4-9]|65[6-9]|6[6-9]\d{3}|[7-9]\d{4})[1-9]\d{0,4})?(?:[/?#][\w\-.~:/?#[\]@!$&'()*+,;=%]*)?$/i

const problemOfLink = (link: string): string | undefined =>
  link === '' || secureLink.test(link)
    ? undefined
    : 'its link must be an address such as https://ada.example'

/** Letters of other scripts, each line after the Latin letter that they look like. */
const alike = [
  ...['aаɑαꓮᴀᗩᎪⲁ⍺', 'bвьβᏼꓐʙᗷⲃ', 'cсςᏟꓚᴄᑕⲥ', 'dԁᎠᏧđꓓᴅᗪ', 'eеεᎬҽꓰᴇⲉ', 'fƒϝꓝꜰᖴ', 'gցɡᏀꓖɢ'],
  ...['hһհнΗᎻħꓧʜᕼⲏ', 'iіıιɩᎥꓲɪⲓ', 'jјϳյᎫꓙᴊᒍȷ', 'kкκᏦꓗᴋⲕ', 'lӏІΙłᏞꓡʟᒪ', 'mмΜᎷꓟᴍᗰⲙ', 'nոηпΝꓠɴⲛ'],
  ...['oоοσօøѳꓳᴏⲟ𐐬௦', 'pрρᏢꓑᴘᑭⲣ', 'qԛգ', 'rгᎡʀꓣᖇ', 'sѕꜱᏚꓢᔕ', 'tтτᎢŧꓔᴛⲧ', 'uսυцꓴᴜᑌ', 'vνѵᏙꓦᴠᐯ'],
  ...['wԝωᎳѡꓪᴡᗯⲱ', 'xхχꓫ᙭ⲭ×', 'yуүγΥʏꓬ', 'zζᏃꓜᴢ'],
]
const latin = new Map(
  alike.flatMap(([first = '', ...others]) => others.map((it): [string, string] => [it, first])),
)
const lookOf = (letter: string): string =>
  latin.get(letter) ?? latin.get(letter.toUpperCase()) ?? letter

/** Returns a text in small letters, without accents and full width, and in Latin where it looks so. */
const latinOf = (text: string): string =>
  [...text.normalize('NFKD')]
    .map((it) => lookOf(lookOf(it).toLowerCase()))
    .join('')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{Mn}*)\p{Mn}/gu, '')

/**
 * Returns the part of a name that is the same in all names that look alike: in small letters of one
 * width, without accents, spaces, punctuation and signs, each letter of another script as the Latin one
 * that it looks like.
 */
export const skeletonOf = (name: string): string =>
  latinOf(name)
    .replace(/[1i|!]/g, 'l')
    .replaceAll('0', 'o')
    .replace(/[\p{P}\p{Z}\p{Cf}\p{S}\p{Me}\u02b0-\u02ff]|\p{Variation_Selector}/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')

/** Names that would say something else of an account than who it is. */
const sayings = new Set(
  ['you', 'Heirloom', 'the server', 'this server', 'wallet of this server', 'similar name'].map(
    skeletonOf,
  ),
)
