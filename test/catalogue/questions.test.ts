import { readFileSync } from 'node:fs'
import { sqlCatalogue } from '@heirloom/adapters/catalogue'
import type { Card } from '@heirloom/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { marketOf, numbers } from '../../bench/parts/large-market.ts'

// 200 questions in people's own words, each with the memory that it means. They were written before
// the ranking was tuned, and it was tuned with every other one: the held-out ones judge it.

const lines = readFileSync(new URL('../fixtures/questions.txt', import.meta.url), 'utf8').trim()
const questions = lines.split('\n').map((line) => {
  const [query = '', title = '', description = ''] = line.split(' | ')
  return { query, card: { title, description } }
})

/** The number of memories on the market, of which all but those asked for say something else. */
const memories = 5_000

// What the other memories are about: the everyday words by which people also ask.
const kinds = `notes lessons talks answers recipes plans questions stories diary checklist reviews
  letters scripts drills examples mistakes summaries exercises conversations guide`.split(/\s+/)
const subjects =
  `customers|support agents|a web shop|code reviews|learning at home|writing|small plans
  |an old house|the garden|kids at school|music practice|travel|cheap food|health at work|sleep
  |a team of engineers|meetings|selling|law and contracts|money and tax|a first job|interviews
  |exams|English grammar|German for beginners|French cooking|photos|drawing|games with friends
  |data tables|slow queries|Python tools|cloud servers|security|logs|prompts for models|chat
  |running|training|children|parents|neighbours|an angry boss|cars|bicycles|phones|printers
  |websites|videos|books|products|prices|hiring|remote work|visas and forms|animals|dogs|plants
  |cleaning|repairs|building with wood|winter|the sea|the night|history|physics|science papers
  |ethics|religion|weddings|friends|dating|grief|fear|focus|memory training|breathing|pain`
    .split('|')
    .map((it) => it.trim())
const people = `beginners|students|teachers|nurses|owners of small companies|freelancers|families
  |old people|teenagers|a manager|a designer|players|coaches|lawyers|sellers|buyers|guests|readers`
  .split('|')
  .map((it) => it.trim())
const makers = `who explain everything simply|who want to improve|with prices and dates|who had to
  choose|without an agent|on a budget|that help to start|with answers of experts|who work from home
  |that were fixed later|of a whole year|who make mistakes|who learn faster|who stop and think`
  .split('|')
  .map((it) => it.replaceAll(/\s+/g, ' ').trim())

/** Cards about other things, which share the everyday words of the questions. */
function otherCards(count: number): readonly Card[] {
  const next = numbers(7)
  const one = (of: readonly string[]) => of[Math.floor(next() * of.length)] ?? ''
  return Array.from({ length: count }, () => ({
    title: `${one(kinds)} on ${one(subjects)} for ${one(people)}`,
    description: `${one(kinds)} and ${one(kinds)} about ${one(subjects)} and ${one(subjects)}, by ${one(people)} ${one(makers)}.`,
  }))
}

const market = marketOf([
  ...questions.map(({ card }) => card),
  ...otherCards(memories - questions.length),
])

let catalogue: Awaited<ReturnType<typeof sqlCatalogue>>
beforeAll(async () => {
  catalogue = await sqlCatalogue({ ...market, db: ':memory:' })
  await catalogue.caughtUp()
})
afterAll(() => catalogue.close())

/** Returns the titles of the first ten memories: those with all words, then those with some. */
async function findTen(search: string): Promise<readonly string[]> {
  const order = { search, sort: 'relevance', descending: true } as const
  const { total } = await catalogue.facets(order)
  const match = total < 10 ? 'any' : 'all'
  const { items } = await catalogue.listings({ ...order, match, group: 'family', limit: 10 })
  return items.map(({ card }) => card?.title ?? '')
}

test.each([
  ['tuned with', 0],
  ['held out', 1],
])(
  'nine of ten questions that were %s lead to their memory among the first ten',
  async (_, half) => {
    const missed: string[] = []
    const chosen = questions.filter((_it, index) => index % 2 === half)
    for (const { query, card } of chosen) {
      if (!(await findTen(query)).includes(card.title)) missed.push(query)
    }
    expect(missed.length / chosen.length, missed.join(', ')).toBeLessThanOrEqual(0.1)
  },
)
