package store

// The bookings of model calls, and the budgets.

// reserve books tokens for the next attempt at a call.
const reserve = `
INSERT INTO bookings (run, call, attempt, tokens, settled, booked)
VALUES ($1, $2, (SELECT coalesce(max(b.attempt), 0) + 1 FROM bookings b WHERE b.run = $1 AND b.call = $2), $3, 0, $4)
RETURNING attempt`

// sumBookings returns what all attempts of a run took, or may take.
const sumBookings = `
SELECT CAST(coalesce(sum(tokens), 0) AS BIGINT) FROM bookings WHERE run = $1`

const findReservation = `
SELECT tokens, booked FROM bookings WHERE run = $1 AND call = $2 AND attempt = $3 AND settled = 0`

const chargeReservation = `
UPDATE bookings SET tokens = $4, settled = 1 WHERE run = $1 AND call = $2 AND attempt = $3`

// addToBudget adds to a budget of a period. The row's lock serialises the reservations of one budget.
const addToBudget = `
INSERT INTO budgets (budget, period, used) VALUES ($1, $2, $3)
ON CONFLICT (budget, period) DO UPDATE SET used = budgets.used + excluded.used RETURNING used`

const readBudget = `
SELECT CAST(coalesce(sum(used), 0) AS BIGINT) FROM budgets WHERE budget = $1 AND period = $2`
