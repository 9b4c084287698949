import { heirDayLimits, heirStates } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { orNull } from './catalogue-schemas.ts'
import { address, decimal } from './schema-parts.ts'

const { least, most } = heirDayLimits

const days = (description: string) =>
  Type.Integer({ minimum: least, maximum: most, description, examples: [least] })

const time = (description: string) =>
  orNull(decimal(`${description}, in seconds since the Unix epoch.`, '1767830400'))

const stateNames = ['none', ...heirStates] as const

/** The plan of an account for its tokens. */
export const HeirRecord = Type.Object(
  {
    account: address('Address of the account.'),
    heir: orNull(address('Address of its heir; null where it has named none.')),
    state: Type.Unsafe<(typeof stateNames)[number]>({
      type: 'string',
      enum: stateNames,
      examples: ['active'],
      description:
        'none: there is no heir. active: the account gave a sign of life within its silence. silent: it did not, so the heir may announce a takeover. announced: the heir did, and the notice runs. due: the heir may take over.',
    }),
    silenceDays: orNull(
      days('Days without a sign of life after which the heir may announce; null without an heir.'),
    ),
    noticeDays: orNull(days('Days from the announcement to the takeover; null without an heir.')),
    lastSignAt: time('Last sign of life; null without an heir'),
    silentAt: time('Time from which the heir may announce; null without an heir'),
    announcedAt: time('Announcement of the takeover; null unless one is under way'),
    takeoverAt: time(
      'Time from which the heir may take over, if the account gives no sign of life and the heir announces as soon as it may; null without an heir',
    ),
    heirOf: Type.Optional(
      Type.Array(address('Address of the account.'), {
        description:
          'A page of the accounts whose heir this account is, the last to name it first. Anybody can name any account. Absent where there is no catalogue.',
      }),
    ),
    next: Type.Optional(
      orNull(
        Type.String({
          description:
            'Cursor of the next page of `heirOf`, for `after`; null on the last one. Absent where there is no catalogue.',
          examples: ['aGVpci1vZiAxMiAz'],
        }),
      ),
    ),
  },
  { description: 'The heir of an account, and when the heir may act.' },
)
