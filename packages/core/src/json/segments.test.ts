import { arbitraryJsonText } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { documentStart, type Survey, surveySegment, wholeDocument } from './segments.ts'

const encode = (text: string) => new TextEncoder().encode(text)

const arbitraryText = arbitraryJsonText.map(encode)

/** Surveys adjacent pieces one after another, each from where the last one ended. */
function surveyPieces(text: Uint8Array, cuts: readonly number[]) {
  const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b)
  const surveys: Survey[] = []
  let point = documentStart
  let start = 0
  for (const end of ends) {
    const { survey, next } = surveySegment(text.subarray(start, end), point)
    surveys.push(survey)
    point = next
    start = end
  }
  return { surveys, point }
}

function add(one: Survey, other: Survey): Survey {
  if (one.leastDepth !== other.leastDepth) return one.leastDepth < other.leastDepth ? one : other
  return { leastDepth: one.leastDepth, separators: one.separators + other.separators }
}

/** Counts with a parser instead of a scan: one comma fewer than members in each container. */
function commasOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members = Object.values(value)
  return members.reduce((sum, member) => sum + commasOf(member), Math.max(0, members.length - 1))
}

describe('surveySegment', () => {
  test('surveys any pieces of a text like the whole, and ends in the same state', () =>
    fc.assert(
      fc.property(arbitraryText, fc.array(fc.nat(), { maxLength: 9 }), (text, cuts) => {
        const { surveys, point } = surveyPieces(text, cuts)
        const whole = surveySegment(text, documentStart)
        expect(surveys.reduce(add)).toEqual(whole.survey)
        expect(point).toEqual(whole.next)
      }),
      { numRuns: 1000 },
    ))

  test('surveys a text cut into single bytes like a parser', () =>
    fc.assert(
      fc.property(fc.json(), (json) => {
        const text = encode(json)
        const { surveys, point } = surveyPieces(text, [...text.keys()])
        expect(surveys.reduce(add)).toEqual({ leastDepth: 0, separators: 0 })
        expect(point).toEqual(documentStart)
        expect(surveys.reduce((sum, { separators }) => sum + separators, 0)).toBe(
          commasOf(JSON.parse(json)),
        )
      }),
    ))

  test('counts commas only at the least depth, and none in strings', () => {
    const from = { inString: false, escaped: false, depth: 3 }
    const survey = (text: string) => surveySegment(encode(text), from).survey
    expect(survey('1,[2,3],"a,\\",",{"b":1,"c":2},4')).toEqual({ leastDepth: 3, separators: 4 })
    expect(survey('1,2],3,4')).toEqual({ leastDepth: 2, separators: 2 })
    expect(survey('1,2]},{"a":[1,2')).toEqual({ leastDepth: 1, separators: 1 })
  })

  test('reports a string and an escape that a piece leaves open', () => {
    const next = (text: string) => surveySegment(encode(text), documentStart).next
    expect(next('"a')).toEqual({ inString: true, escaped: false, depth: 0 })
    expect(next('["\\')).toEqual({ inString: true, escaped: true, depth: 1 })
    expect(next('"\\\\')).toEqual({ inString: true, escaped: false, depth: 0 })
    expect(surveySegment(encode('",'), next('"\\')).next.inString).toBe(true)
    expect(surveySegment(encode(''), next('"\\')).next).toEqual(next('"\\'))
  })
})

test('reads a whole document as one segment with the survey that a scan would find', () =>
  fc.assert(
    fc.asyncProperty(arbitraryText, async (text) => {
      const reader = wholeDocument(text)
      const { survey } = surveySegment(text, documentStart)
      const segment = { offset: 0, length: text.length, from: documentStart, survey }
      expect(await reader.segments()).toEqual([segment])
      expect(await reader.read(0)).toEqual(text)
    }),
  ))
