import { Failure } from '@heirloom/core'

type Edr = typeof import('@nomicfoundation/edr')

/**
 * Loads the EVM. Its native part is an optional package of its own for each platform, and the error
 * of its loader names neither the platform nor the package first.
 *
 * @throws `evm/not-installed`
 */
export async function loadEdr(load: () => Promise<Edr>): Promise<Edr> {
  try {
    return await load()
  } catch (cause) {
    const platform = `${process.platform} ${process.arch}`
    throw new Failure('evm/not-installed', { platform, part: partOf(cause) }, { cause })
  }
}

const partPattern = new RegExp(`@nomicfoundation/edr-${process.platform}-[\\w-]+`)

/** Returns the package of this platform that an error, or one of its causes, names. */
function partOf(error: unknown): string {
  const { message, cause } = Object(error)
  const [part] = partPattern.exec(`${message}`) ?? []
  return part ?? (cause === undefined ? '@nomicfoundation/edr' : partOf(cause))
}
