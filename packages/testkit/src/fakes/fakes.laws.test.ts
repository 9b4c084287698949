import { blobStorageLaws } from '../laws/blob-storage.ts'
import { blobStoreLaws } from '../laws/blob-store.ts'
import { catalogueLaws } from '../laws/catalogue.ts'
import { cipherLaws } from '../laws/cipher.ts'
import { clockLaws } from '../laws/clock.ts'
import { grantsLaws } from '../laws/grants.ts'
import { keyServiceLaws } from '../laws/key-service.ts'
import { ledgerLaws } from '../laws/ledger.ts'
import { namesLaws } from '../laws/names.ts'
import { openingsLaws } from '../laws/openings.ts'
import { profilesLaws } from '../laws/profiles.ts'
import { ratingsLaws } from '../laws/ratings.ts'
import { describeLaws } from '../laws/vitest.ts'
import { memoryBlobStorage } from './blob-storage.ts'
import { memoryBlobStore } from './blob-store.ts'
import { memoryCipher } from './cipher.ts'
import { stoppedClock } from './clock.ts'
import { memoryGrants } from './grants.ts'
import { memoryHarness } from './harness.ts'
import { memoryKeyService } from './key-service.ts'
import { memoryNames } from './names.ts'
import { memoryOpenings } from './openings.ts'
import { memoryProfiles } from './profiles.ts'
import { memoryRatings } from './ratings.ts'

describeLaws('memoryBlobStore', blobStoreLaws, { open: async () => memoryBlobStore() })
describeLaws('memoryBlobStorage', blobStorageLaws, { open: async () => memoryBlobStorage() })
describeLaws('memoryBlobStorage, opened,', blobStoreLaws, {
  open: () => memoryBlobStorage().storage.open(),
})
describeLaws('memoryCipher', cipherLaws, { open: async () => memoryCipher() })
describeLaws('stoppedClock', clockLaws, { open: async () => stoppedClock() })
describeLaws('memoryKeyService', keyServiceLaws, { open: async () => memoryKeyService() })
describeLaws('memoryNames', namesLaws, { open: async () => memoryNames() })
describeLaws('memoryOpenings', openingsLaws, { open: async () => memoryOpenings() })
describeLaws('memoryGrants', grantsLaws, { open: async () => memoryGrants() })
describeLaws('memoryProfiles', profilesLaws, { open: async () => memoryProfiles() })
describeLaws('memoryRatings', ratingsLaws, { open: async () => memoryRatings() })
describeLaws('memoryLedger', ledgerLaws, { open: async () => memoryHarness() })
describeLaws('memoryCatalogue', catalogueLaws, { open: async () => memoryHarness() })
