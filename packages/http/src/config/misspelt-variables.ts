import { closestMatch } from 'leven'
import type { Environment } from './environment.ts'
import { settingNames } from './settings.ts'

/** A shorter name is one letter away from another one by chance. */
const shortest = 5

/**
 * Returns a sentence for each variable that nothing reads and whose name is one letter away from that
 * of a setting, or differs in singular and plural: the setting would have its default unseen.
 */
export function misspeltVariables(env: Environment): readonly string[] {
  return Object.keys(env).flatMap((name) => {
    const meant = settingNames.includes(name) ? undefined : nearest(name)
    return meant === undefined ? [] : [`${name} is set, and is no setting; ${meant} is one.`]
  })
}

function nearest(name: string): string | undefined {
  if (name.length < shortest || name.length > 64) return undefined
  const alike = settingNames.find((it) => singular(it) === singular(name))
  return alike ?? closestMatch(name, [...settingNames], { maxDistance: 1 })
}

const singular = (name: string) => name.replace(/IES$/, 'Y').replace(/S$/, '')
