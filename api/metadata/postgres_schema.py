"""The schema of the PostgreSQL database, one step per release that changed it.

The columns are those of SQLite, and moments are seconds since the epoch as there, so that moving
from one to the other is a copy. `schema_version` counts the steps. A step is never edited once
released, and only adds what the release before it can ignore: two releases run side by side while
one takes the place of the other. `oldest_release` is the lowest step count of a program that can
still work on it.
"""

from __future__ import annotations

STEPS: tuple[str, ...] = (
    """
    CREATE TABLE documents (
        id text PRIMARY KEY,
        owner text NOT NULL,
        name text NOT NULL,
        format text NOT NULL,
        media_type text NOT NULL,
        size bigint NOT NULL,
        tracked boolean NOT NULL,
        author text NOT NULL,
        images bytea NOT NULL,
        ttl_seconds integer NOT NULL,
        created_at double precision NOT NULL,
        updated_at double precision NOT NULL,
        expires_at double precision NOT NULL,
        version integer NOT NULL,
        next_seq integer NOT NULL,
        holder text,
        token bigint NOT NULL DEFAULT 0,
        lease_until double precision NOT NULL DEFAULT 0
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
    CREATE INDEX documents_owner ON documents (owner, created_at);
    CREATE INDEX documents_expiry ON documents (expires_at);

    CREATE TABLE versions (
        document text NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        number integer NOT NULL,
        blob text NOT NULL,
        size bigint NOT NULL,
        digest text NOT NULL,
        state bytea NOT NULL,
        back integer,
        forward integer,
        PRIMARY KEY (document, number)
    );

    CREATE TABLE operations (
        id text NOT NULL UNIQUE,
        document text NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        owner text NOT NULL,
        seq integer NOT NULL,
        kind text NOT NULL,
        uid text NOT NULL,
        request bytea NOT NULL,
        digest text NOT NULL,
        state text NOT NULL,
        attempt integer NOT NULL DEFAULT 0,
        received_at double precision NOT NULL,
        deadline double precision NOT NULL,
        started_at double precision,
        finished_at double precision,
        status integer,
        body bytea,
        final boolean NOT NULL DEFAULT false,
        summary text NOT NULL DEFAULT '',
        warnings bytea NOT NULL DEFAULT '[]',
        spending bytea NOT NULL DEFAULT 'null',
        PRIMARY KEY (document, seq)
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
    CREATE INDEX operations_open ON operations (document, seq)
        WHERE state IN ('queued', 'running');
    CREATE INDEX operations_due ON operations (received_at) WHERE state IN ('queued', 'running');
    CREATE INDEX operations_owner ON operations (owner) WHERE state IN ('queued', 'running');
    CREATE INDEX operations_tries ON operations (document, kind, uid, seq);
    CREATE UNIQUE INDEX operations_uid ON operations (document, kind, uid)
        WHERE final OR state IN ('queued', 'running');

    -- Answers to deletions, for whoever asked for one at another process.
    CREATE TABLE deletions (
        operation text PRIMARY KEY,
        body bytea NOT NULL,
        deleted_at double precision NOT NULL
    );

    -- Documents whose objects are to go, from when on, and whom they are left to until when.
    CREATE TABLE garbage (
        document text PRIMARY KEY,
        due double precision NOT NULL,
        claimed_until double precision NOT NULL DEFAULT 0
    );

    CREATE TABLE api_keys (
        id text PRIMARY KEY,
        owner text NOT NULL,
        name text NOT NULL,
        digest text NOT NULL,
        created_at double precision NOT NULL,
        expires_at double precision,
        revoked_at double precision,
        used_on text NOT NULL DEFAULT ''
    );
    CREATE TABLE presign_keys (
        id text PRIMARY KEY,
        secret bytea NOT NULL,
        created_at double precision NOT NULL,
        retired_at double precision
    );
    CREATE UNIQUE INDEX presign_keys_live ON presign_keys ((true)) WHERE retired_at IS NULL;

    -- It refers to no other table: it outlives what it tells of.
    CREATE TABLE audit (
        number bigint PRIMARY KEY,
        at text NOT NULL,
        who text NOT NULL,
        what text NOT NULL,
        subject text NOT NULL,
        before text,
        after text,
        hash text NOT NULL
    );
    CREATE INDEX audit_subject ON audit (subject);
    CREATE FUNCTION audit_is_kept() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the audit log is only added to'; END $$;
    CREATE TRIGGER audit_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
        FOR EACH STATEMENT EXECUTE FUNCTION audit_is_kept();
    CREATE TABLE audit_salt (salt text NOT NULL);
    INSERT INTO audit_salt VALUES (gen_random_uuid()::text || gen_random_uuid()::text);
    """,
    # What a key may do, and what its owner may keep.
    """
    ALTER TABLE api_keys ADD COLUMN role text NOT NULL DEFAULT 'edit';
    CREATE TABLE quotas (
        owner text PRIMARY KEY,
        documents integer NOT NULL,
        size bigint NOT NULL
    );
    """,
    # Requests that processes have taken of the limit of a caller in a minute, and what is to be
    # written into the audit log, which has one end to which only one transaction at a time adds.
    """
    CREATE TABLE windows (
        caller text NOT NULL,
        minute bigint NOT NULL,
        taken integer NOT NULL,
        PRIMARY KEY (caller, minute)
    );
    CREATE INDEX windows_minute ON windows (minute);
    CREATE TABLE audit_waiting (
        id bigserial PRIMARY KEY,
        at double precision NOT NULL,
        who text NOT NULL,
        what text NOT NULL,
        subject text NOT NULL,
        before text,
        after text
    );
    """,
    # The key of a document goes with its row; null where it is not encrypted.
    "ALTER TABLE documents ADD COLUMN sealed_key bytea",
    # When what is here was moved away; whatever is left is an old copy.
    "CREATE TABLE moved (at double precision NOT NULL)",
)
OLDEST_RELEASE = 1
"""The fewest steps that a program of today's schema may know."""
