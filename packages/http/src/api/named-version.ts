/**
 * A version of a name: its number from 1 on, also as a text; or a day in UTC such as `2026-10-01`, or a
 * time such as `2026-10-01T12:00:00Z`, for the last version that was saved by the end of that day or by
 * that time.
 */
export type VersionOf = number | string

/** The number of a version, and the time of its save in milliseconds since the Unix epoch. */
type Version = { readonly version: number; readonly savedAt: number }

type Page = { readonly after: string | undefined; readonly limit: number }

/** Reads a page of the versions of a name, the newest first. */
export type ReadVersions<V extends Version> = (
  page: Page,
) => Promise<{ readonly items: readonly V[] }>

/** A text as the name of a memory, and the version behind its last `@` if it has one. */
export type NameAndVersion = { readonly name: string; readonly version?: VersionOf | undefined }

/**
 * Parses a name that may have a version behind it: `ada`, `ada@3`, `ada@2026-10-01` or
 * `ada@2026-10-01T12:00:00Z`. Returns `undefined` for a text with anything else behind an `@`. A name
 * that looks like a day is a name.
 */
export function parseVersion(text: string): NameAndVersion | undefined {
  const at = text.lastIndexOf('@')
  if (at < 0) return { name: text }
  const [name, behind] = [text.slice(0, at), text.slice(at + 1)]
  const isNumber = number.test(behind)
  if (name === '' || !(isNumber || endOf(behind) !== undefined)) return undefined
  return { name, version: isNumber ? Number(behind) : behind }
}

const number = /^[1-9][0-9]{0,8}$/

const dayOrTime =
  /^(\d{4}-\d{2}-\d{2})(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?$/

/** Returns the last millisecond of a day in UTC, or a time in milliseconds; `undefined` for another text. */
export function endOf(text: string): number | undefined {
  const [, day, time] = dayOrTime.exec(text) ?? []
  const start = Date.parse(`${day}T00:00:00Z`)
  // A day that its month does not have is no day.
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== day) return undefined
  return time === undefined ? start + 86_399_999 : Date.parse(text)
}

/** Returns the last second of a day in UTC, since 1970; `undefined` for a text that is no day. */
export function lastSecondOf(day: string): number | undefined {
  const end = day.includes('T') ? undefined : endOf(day)
  return end === undefined ? undefined : Math.floor(end / 1000)
}

/**
 * Finds a version of a name, the last one by default. A time is found in a number of reads that grows
 * with the logarithm of the number of versions.
 */
export async function findVersion<V extends Version>(
  versions: ReadVersions<V>,
  version?: VersionOf,
): Promise<V | undefined> {
  if (typeof version === 'string' && !number.test(version))
    return findByTime(versions, endOf(version))
  const requested = version === undefined ? version : Number(version)
  const found = await firstOf(versions, requested)
  return requested === undefined || found?.version === requested ? found : undefined
}

/** Returns the newest version up to a number, or the newest of all. */
const firstOf = async <V extends Version>(
  versions: ReadVersions<V>,
  most?: number,
): Promise<V | undefined> =>
  (await versions({ after: most === undefined ? undefined : `${most + 1}`, limit: 1 })).items[0]

async function findByTime<V extends Version>(
  versions: ReadVersions<V>,
  until = Number.NEGATIVE_INFINITY,
) {
  const newest = await firstOf(versions)
  if (newest === undefined || newest.savedAt <= until) return newest
  return bisect(versions, until, newest.version)
}

/** Finds the last version that was saved by a time, below the number of one that was saved later. */
async function bisect<V extends Version>(versions: ReadVersions<V>, until: number, later: number) {
  let found: V | undefined
  for (let [lower, upper] = [0, later]; upper - lower > 1; ) {
    const middle = Math.floor((lower + upper) / 2)
    const it = await firstOf(versions, middle)
    if (it !== undefined && it.savedAt > until) upper = it.version
    else {
      found = it ?? found
      lower = middle
    }
  }
  return found
}

/** Returns the parts of the failure of a name that has no such version. */
export const missingVersion = (name: string, version: VersionOf = 1) =>
  ({
    code: 'client/no-version',
    facts: { name, version },
    message: `The name ${name} has no version ${versionText(version)}; its log lists the versions.`,
  }) as const

/** Returns a version as it stands in a sentence. */
export function versionText(version: VersionOf): string {
  if (typeof version === 'number' || number.test(version)) return `${version}`
  return endOf(version) === undefined
    ? `${JSON.stringify(version)}, which is no number, no day such as 2026-10-01 and no time such as 2026-10-01T12:00:00Z`
    : `of ${version} or before`
}
