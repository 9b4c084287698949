import {
  type Catalogue,
  Failure,
  isFailure,
  type MemoryService,
  type TokenId,
} from '@heirloom/core'

/**
 * Returns a service that pays for no token that shows a copy, because nobody can open one. Where the
 * catalogue does not answer, the service decides alone.
 *
 * @throws `listing/copied`, and what the service throws
 */
export function refuseCopies(
  service: MemoryService,
  { token }: Pick<Catalogue, 'token'>,
): MemoryService {
  const checked =
    <Input extends { readonly tokenId: TokenId }, Output>(
      acquire: (input: Input) => Promise<Output>,
    ) =>
    async (input: Input): Promise<Output> => {
      const shown = await token(input.tokenId).catch(unlessUnanswered)
      if (shown?.originality === 'copied') {
        throw new Failure('listing/copied', { tokenId: input.tokenId })
      }
      return acquire(input)
    }
  return {
    ...service,
    buy: checked(service.buy),
    rent: checked(service.rent),
    fork: checked(service.fork),
  }
}

function unlessUnanswered(error: unknown): undefined {
  if (!isFailure(error, 'catalogue/unavailable')) throw error
}
