import { describeFuzz } from './describe-fuzz.ts'
import { restBody } from './targets/rest-body.ts'

describeFuzz(restBody)
