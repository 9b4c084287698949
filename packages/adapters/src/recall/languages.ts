import type { Language, Languages } from '@heirloom/core'
import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stopwords as arabicFillers } from '@orama/stopwords/arabic'
import { stopwords as dutchFillers } from '@orama/stopwords/dutch'
import { stopwords as englishFillers } from '@orama/stopwords/english'
import { stopwords as frenchFillers } from '@orama/stopwords/french'
import { stopwords as germanFillers } from '@orama/stopwords/german'
import { stopwords as italianFillers } from '@orama/stopwords/italian'
import { stopwords as portugueseFillers } from '@orama/stopwords/portuguese'
import { stopwords as russianFillers } from '@orama/stopwords/russian'
import { stopwords as spanishFillers } from '@orama/stopwords/spanish'
import { stopwords as swedishFillers } from '@orama/stopwords/swedish'
import { stopwords as turkishFillers } from '@orama/stopwords/turkish'

/** The forms of English words that no rule leads back to the word, each row after its word. */
const englishRows = `
arise arose arisen; beat beaten; become became; begin began begun; bind bound; bite bit bitten;
blow blew blown; break broke broken; bring brought; build built; buy bought; catch caught;
choose chose chosen; come came; deal dealt; dig dug; draw drew drawn; drink drank drunk;
drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found;
fly flew flown; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen;
get got gotten; give gave given; go went gone; grow grew grown; hang hung; hear heard;
hide hid hidden; hold held; keep kept; know knew known; lead led; learn learnt; leave left; lend lent;
lose lost; make made; mean meant; meet met; pay paid; ride rode ridden; ring rang rung;
rise rose risen; run ran; say said; see saw seen; seek sought; sell sold; send sent;
shake shook shaken; shine shone; shoot shot; show shown; sing sang sung; sink sank sunk; sit sat;
sleep slept; speak spoke spoken; spend spent; stand stood; steal stole stolen; stick stuck;
strike struck; swear swore sworn; sweep swept; swim swam swum; take took taken; teach taught;
tear tore torn; tell told; think thought; throw threw thrown; understand understood;
wake woke woken; wear wore worn; win won; write wrote written;
child children; man men; woman women; person people; foot feet; tooth teeth; mouse mice; goose geese;
wife wives; live life; knife knives; leave leaf; half halves; shelf shelves`

/** The word of each such form. */
const englishForms: ReadonlyMap<string, string> = new Map(
  englishRows.split(';').flatMap((row) => {
    const [word = '', ...forms] = row.trim().split(' ')
    return forms.map((form) => [form, word] as const)
  }),
)

/** Returns the stem of an English word; a form is also known by its plural, as “thoughts” is. */
const englishStem = (word: string): string =>
  english(englishForms.get(word) ?? englishForms.get(english(word)) ?? word)

/** Returns the stem of a Russian word, which is often written without its dots. */
const russianStem = (word: string): string => russian(word.replaceAll('ё', 'е'))

/** More fillers: words of questions, and what an apostrophe cuts off words or leaves of them. */
const more = {
  english:
    'a whose s t d m ll re ve don doesn didn isn aren wasn weren hasn haven hadn couldn wouldn many much',
  german:
    'wann wer wem wen warum weshalb wieso wohin woher womit wovon wovor wofür oft viele vielen',
  french: 'quand où comment pourquoi combien quoi qu jusqu lorsqu puisqu',
  italian: 'quando quali cosa d un quell quest',
  portuguese: 'quais onde porque porquê quanto quanta quantos quantas',
  dutch: 'wanneer waar waarom waarmee welke hoeveel hoelang',
  russian: 'почему зачем какие сколько чей откуда',
  arabic: 'لماذا',
  turkish: 'kaç',
} as const

const language = (stem: (word: string) => string, ...fillers: (readonly string[])[]) => ({
  stem,
  fillers: new Set(fillers.flat()),
})

/** A language that writes several words as one. */
const joining = (...of: Parameters<typeof language>) => ({
  ...language(...of),
  joinsWords: true as const,
})

/**
 * The languages whose words are searched by their stems. The first is that of a text whose language
 * is not known.
 */
export const languages: Languages = new Map<string, Language>([
  ['en', language(englishStem, englishFillers, more.english.split(' '))],
  // Of “wohnt” and “wohnen”, “habitent” and “habite”.
  ['de', { ...joining(german, germanFillers, more.german.split(' ')), endings: ['t', 'et'] }],
  ['fr', { ...language(french, frenchFillers, more.french.split(' ')), endings: ['ent'] }],
  ['es', language(spanish, spanishFillers)],
  ['it', language(italian, italianFillers, more.italian.split(' '))],
  ['pt', language(portuguese, portugueseFillers, more.portuguese.split(' '))],
  ['nl', joining(dutch, dutchFillers, more.dutch.split(' '))],
  ['sv', joining(swedish, swedishFillers)],
  ['ru', language(russianStem, russianFillers, more.russian.split(' '))],
  ['ar', language(arabic, arabicFillers, more.arabic.split(' '))],
  ['tr', language(turkish, turkishFillers, more.turkish.split(' '))],
])
