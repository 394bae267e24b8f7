import { describeFuzz } from './describe-fuzz.ts'
import { restQuery } from './targets/rest-query.ts'

describeFuzz(restQuery)
