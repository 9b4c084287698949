import { mostEnsAccounts } from '../../../src/api/bounds.ts'
import type { EnsNames } from '../../../src/client/responses.ts'
import { deployment } from '../deployment.ts'
import { addressOf } from './address-of.ts'
import { batchReads } from './batch-reads.ts'
import { getJson } from './get-json.ts'

/** The longest name that ENS resolves, in characters. */
const longestName = 255

/** The letters, digits, signs and pictographs of a label; nothing of it is a space or has no width. */
const label = /^[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Component}$_'’·-]+$/u

/** Matches a joiner that joins no pictographs. */
const looseJoiner = /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d/u

/** The scripts whose letters look like Latin ones. */
const alike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

/**
 * Returns whether a name of ENS is written as it looks. The server sends names in their one spelling
 * (ENSIP-15); this keeps the page from what a server lets through.
 */
export function isPlainName(name: string): boolean {
  const labels = name.split('.')
  return name.length <= longestName && labels.length > 1 && labels.every(isPlainLabel)
}

const isPlainLabel = (text: string): boolean =>
  label.test(text) &&
  !looseJoiner.test(text) &&
  !(/\p{Script=Latin}/u.test(text) && alike.test(text))

const names = batchReads({
  most: mostEnsAccounts,
  read: async (accounts) => {
    const path = addressOf('ensNames', { accounts: accounts.join() })
    return (await getJson<EnsNames>(path)).items.map(({ name }) =>
      name !== null && isPlainName(name) ? name : null,
    )
  },
})

/** Returns the primary ENS name of an account, once it is known. */
export const useEnsName = (of: string): string | undefined =>
  names.useValue(deployment.value?.hasEns === true ? of : undefined) ?? undefined
