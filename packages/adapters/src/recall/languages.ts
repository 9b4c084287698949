import type { Languages } from '@heirloom/core'
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
import { englishForms } from './english-forms.ts'

/** What an apostrophe cuts off words, or leaves of them. */
const parts = {
  english: 's t d m ll re ve don doesn didn isn aren wasn weren hasn haven hadn couldn wouldn',
  french: 'qu jusqu lorsqu puisqu',
  italian: 'd un quell quest',
} as const

const language = (stem: (word: string) => string, ...fillers: (readonly string[])[]) => ({
  stem,
  fillers: new Set(fillers.flat()),
})

/**
 * The languages whose words are searched by their stems. The first is that of a text whose language
 * is not known.
 */
export const languages: Languages = new Map([
  [
    'en',
    language(
      (word) => english(englishForms.get(word) ?? word),
      englishFillers,
      parts.english.split(' '),
    ),
  ],
  ['de', language(german, germanFillers)],
  ['fr', language(french, frenchFillers, parts.french.split(' '))],
  ['es', language(spanish, spanishFillers)],
  ['it', language(italian, italianFillers, parts.italian.split(' '))],
  ['pt', language(portuguese, portugueseFillers)],
  ['nl', language(dutch, dutchFillers)],
  ['sv', language(swedish, swedishFillers)],
  ['ru', language(russian, russianFillers)],
  ['ar', language(arabic, arabicFillers)],
  ['tr', language(turkish, turkishFillers)],
])
