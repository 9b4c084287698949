import { type DepositedGrant, type GrantId, type Grants, isFailure } from '@heirloom/core'
import { memoryGrants } from '../../src/fakes/grants.ts'
import type { Broken } from './faulty-harness.ts'

/** Returns grants that work as the fake does, but for `fault`. */
const faulty =
  (fault: (grants: Grants) => Partial<Grants>): Broken<Grants>['open'] =>
  async () => {
    const grants = memoryGrants()
    return { ...grants, ...fault(grants) }
  }

const unbounded = { ofOwner: 1e9, ofClient: 1e9, inAll: 1e9 }

/** Broken grants for each law. */
export const brokenGrants: readonly Broken<Grants>[] = [
  {
    law: 'finds what was deposited, and nothing else',
    fault: 'returns no label',
    open: faulty((grants) => ({
      find: async (id) => {
        const found = await grants.find(id)
        return found && { ...found, label: '' }
      },
    })),
  },
  {
    law: 'replaces the label of a grant that is deposited again',
    fault: 'keeps the first label',
    open: faulty((grants) => ({
      deposit: async (deposited, request) => {
        const known = await grants.find(deposited.id)
        return grants.deposit(known ?? deposited, request)
      },
    })),
  },
  {
    law: 'finds no grant that was revoked, and takes it never again',
    fault: 'takes a revoked grant again',
    open: faulty((grants) => {
      const again = new Map<GrantId, DepositedGrant>()
      return {
        deposit: (deposited, request) =>
          grants.deposit(deposited, request).catch((error: unknown) => {
            if (!isFailure(error, 'grant/revoked')) throw error
            again.set(deposited.id, deposited)
          }),
        find: async (id) => again.get(id) ?? grants.find(id),
      }
    }),
  },
  {
    law: 'revokes a grant that it has never seen',
    fault: 'forgets the revocation of an unknown grant',
    open: faulty((grants) => ({
      revoke: async (revocation, request) =>
        (await grants.find(revocation.id)) === undefined || grants.revoke(revocation, request),
    })),
  },
  {
    law: 'revokes no grant of another owner',
    fault: 'lets anybody revoke',
    open: faulty((grants) => ({
      revoke: async (revocation, request) => {
        const owner = (await grants.find(revocation.id))?.grant.owner ?? revocation.owner
        return grants.revoke({ ...revocation, owner }, request)
      },
    })),
  },
  {
    law: 'revokes all grants of an owner that were signed before a time, and takes none of them later',
    fault: 'revokes none of them',
    open: faulty((grants) => ({ revokeAll: () => grants.find('0x').then(() => undefined) })),
  },
  {
    law: 'revokes the grants of one name of an owner, and counts those that had not ended',
    fault: 'revokes none of them',
    open: faulty(() => ({ revokeName: async () => 2 })),
  },
  {
    law: 'lists the live grants of an owner, the last signed first, each once, page by page',
    fault: 'ends after the first page',
    open: faulty((grants) => ({
      list: async (...all) => ({ ...(await grants.list(...all)), next: undefined }),
    })),
  },
  {
    law: 'lists to a reader the live grants of those owners alone that it accepted, also later ones',
    fault: 'also lists what a reader did not accept',
    open: faulty((grants) => {
      const some: DepositedGrant[] = []
      return {
        deposit: async (deposited, request) => {
          await grants.deposit(deposited, request)
          some.push(deposited)
        },
        received: async (reader) => ({
          items: some.filter(({ grant }) => grant.reader === reader),
          next: undefined,
        }),
      }
    }),
  },
  {
    law: 'accepts nobody whose grants to the reader have ended or are not here',
    fault: 'accepts anybody',
    open: faulty((grants) => ({
      accept: async (...all) => {
        await grants.accept(...all)
        return true
      },
    })),
  },
  {
    law: 'lists a reader nothing of an owner that it ignores, until it accepts it again',
    fault: 'goes on listing it',
    open: faulty(() => ({ ignore: async () => undefined })),
  },
  {
    law: 'refuses a grant beyond a bound with `grant/too-many`',
    fault: 'has no bounds',
    open: faulty((grants) => ({
      deposit: (deposited, request) => grants.deposit(deposited, { ...request, bounds: unbounded }),
    })),
  },
  {
    law: 'keeps half of all room for deposits, whatever is revoked that it has never seen',
    fault: 'lets revocations fill all room',
    open: faulty((grants) => ({
      revoke: (revocation, request) => {
        const bounds = { ...request.bounds, inAll: 2 * request.bounds.inAll }
        return grants.revoke(revocation, { ...request, bounds })
      },
    })),
  },
  {
    law: 'revokes a grant that it has, whatever the bounds',
    fault: 'refuses a revocation where there is no room',
    open: faulty((grants) => ({
      revoke: async (revocation, request) =>
        request.bounds.inAll > 0 && grants.revoke(revocation, request),
    })),
  },
  {
    law: 'forgets a day after its end what was deposited and what was revoked',
    fault: 'forgets nothing',
    open: faulty((grants) => ({
      deposit: (deposited, { now: _, ...request }) =>
        grants.deposit(deposited, { ...request, now: 0 as never }),
    })),
  },
]
