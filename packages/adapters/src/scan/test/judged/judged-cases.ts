import { harmlessForms } from './harmless-forms.ts'
import { hostileForms } from './hostile-forms.ts'
import { type Random, wrapJudged } from './wrap-judged.ts'

/** A file of the judged set: whether an attacker wrote into it, and the form that it came from. */
export type JudgedCase = { readonly hostile: boolean; readonly form: number; readonly text: string }

/** Reports whether a form belongs to the part that is measured and never looked into. */
export const isApart = (form: number): boolean => form % 3 === 2

/** Makes six files of every form, the same ones for the same seed. */
export function judgedCases(seed: number): readonly JudgedCase[] {
  const random = randomOf(seed)
  const make = (forms: readonly string[], hostile: boolean): JudgedCase[] =>
    forms.flatMap((template, form) =>
      Array.from({ length: 6 }, () => ({
        hostile,
        form,
        text: wrapJudged(fill(template, random), random, hostile),
      })),
    )
  return [...make(hostileForms, true), ...make(harmlessForms, false)]
}

function fill(template: string, random: Random): string {
  return template.replaceAll(/⟨([^⟩]*)⟩/gu, (_, choices: string) => random.pick(choices.split('|')))
}

function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  return { next, pick: (items) => items[next(items.length)] ?? '' }
}
