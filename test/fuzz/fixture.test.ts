import { describeFuzz } from './describe-fuzz.ts'
import { fixtureFiles } from './targets/fixture.ts'

describeFuzz(fixtureFiles)
