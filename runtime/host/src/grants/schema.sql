-- Grants and requests for them. Times are seconds since 1970.

-- The latest time that the store was told: it never goes back behind it.
CREATE TABLE clock (one INTEGER PRIMARY KEY CHECK (one = 1), latest INTEGER NOT NULL) STRICT;
INSERT INTO clock VALUES (1, 0);

CREATE TABLE requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The first request of the same batch; nothing for the first itself.
    batch INTEGER REFERENCES requests (id),
    requester TEXT NOT NULL,
    intention TEXT,
    capability TEXT NOT NULL,
    filed INTEGER NOT NULL,
    -- All of it, as JSON.
    request TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'granted', 'denied')),
    decider TEXT,
    reason TEXT,
    -- Until when the requester has to wait.
    again INTEGER,
    CHECK ((state = 'open') = (decider IS NULL))
) STRICT;
CREATE INDEX requests_by_requester ON requests (requester, state);

CREATE TABLE grants (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    request INTEGER NOT NULL UNIQUE REFERENCES requests (id),
    requester TEXT NOT NULL,
    capability TEXT NOT NULL,
    target TEXT,
    -- Pairs of names and globs, as JSON.
    parameters TEXT NOT NULL,
    writes INTEGER NOT NULL CHECK (writes IN (0, 1)),
    expires INTEGER NOT NULL,
    uses INTEGER CHECK (uses > 0),
    remaining INTEGER CHECK (remaining BETWEEN 0 AND uses),
    -- Set once its end is told of.
    ended TEXT CHECK (ended IN ('expired', 'spent', 'revoked')),
    CHECK ((uses IS NULL) = (remaining IS NULL))
) STRICT;
CREATE INDEX grants_that_hold ON grants (requester, expires) WHERE ended IS NULL;
