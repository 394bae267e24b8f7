import { describeFuzz } from './describe-fuzz.ts'
import { bundle } from './targets/bundle.ts'

describeFuzz(bundle)
