import { describeFuzz } from './describe-fuzz.ts'
import { s3 } from './targets/s3.ts'

describeFuzz(s3)
