"""A client of Heirloom in one file of the standard library, for Python 3.9 and later.

    client = Heirloom("http://127.0.0.1:3000", address=account.address, sign=sign)
    token = client.snapshot({"learned": ["short answers"]}, {"category": "support"})
    memory = client.download(token["tokenId"])

Token ids are ints or decimal strings. Amounts are in wei, ints or decimal strings; those in dollars
are in millionths. Results are the JSON objects of the API as dicts, in which all are decimal strings.
Every failure is a HeirloomError.
"""

from __future__ import annotations

import copy
import hashlib
import http.client
import json
import random
import re
import secrets
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from functools import cached_property
from typing import (
    Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union
)
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

Token = Union[int, str]
Amount = Union[int, str]
Json = Dict[str, Any]
#: Signs a text as personal_sign does (ERC-191), and returns the signature: bytes, or hex digits.
Sign = Callable[[str], Union[bytes, str]]
#: Returns the headers of one attempt, in which a proof is signed anew.
Headers = Callable[[], Dict[str, str]]


class HeirloomError(Exception):
    """A failed call. Match on `code`; never on the message.

    code             stable, such as "token/not-found"; "client/…" for failures of the client itself
    facts            the values of the failure, as a dict
    detail           the message, for people
    status           the HTTP status, or None without a response
    retryable        whether the same call may succeed later
    retry_after      the Retry-After header: seconds or a date, or None
    idempotency_key  the key of a failed write: pass it to repeat the write without doing it twice
    """

    def __init__(self, code: str, detail: str, facts: Optional[Json] = None, **more: Any) -> None:
        super().__init__(f"{detail} ({code})")
        self.code = code
        self.detail = detail
        self.facts: Json = facts or {}
        self.status: Optional[int] = more.get("status")
        self.retryable: bool = more.get("retryable", False)
        self.retry_after: Optional[str] = more.get("retry_after")
        self.idempotency_key: Optional[str] = None


class NameMoved(HeirloomError):
    """The code "name/moved": the name has another last version than `after`; nothing was saved."""


@dataclass(frozen=True)
class Memory:
    """A downloaded memory whose content hash is the recorded one."""

    token_id: str
    #: The exact bytes of the sealed JSON text, in UTF-8; `repr` does not show them.
    document: bytes = field(repr=False)
    #: The sha256 of the salt and the document: 0x and 64 hex digits.
    content_hash: str
    #: The 32 random bytes before the document in its content hash: 0x and 64 hex digits.
    salt: str

    @cached_property
    def _parsed(self) -> Json:
        parsed: Json = json.loads(self.document)
        return parsed

    @property
    def data(self) -> Json:
        """The parsed `data`. Integers are exact; `document` has the exact text of other numbers."""
        data: Json = self._parsed["data"]
        return data

    @property
    def metadata(self) -> Json:
        """The parsed `metadata`."""
        metadata: Json = self._parsed["metadata"]
        return metadata


@dataclass(frozen=True)
class Part:
    """A value inside a memory. The server verified it by `digest`, not by the content hash."""

    token_id: str
    pointer: str
    #: The exact bytes of its JSON text, in UTF-8; `repr` does not show them.
    text: bytes = field(repr=False)
    #: The digest of the sealed bundle on the chain: 0x and 64 hex digits.
    digest: str

    @cached_property
    def value(self) -> Any:
        """The parsed value."""
        return json.loads(self.text)


class Heirloom:
    """The calls of a server. Its wallet signs and pays every write; `sign` opens, erases and rates memories.

    In a `with` statement the client forgets the API key and `sign` at the end.
    """

    def __init__(
        self,
        url: str,
        api_key: Optional[str] = None,
        sign: Optional[Sign] = None,
        address: Optional[str] = None,
        timeout: float = 120,
        retries: int = 3,
    ) -> None:
        """Creates a client; sends nothing.

        url      the address of the server, with http or https; it may have a path
        api_key  the API key, for a server that requires one
        sign     signs the proof of a download with the key of `address`
        address  the checksummed address (EIP-55) that opens memories, and owns what the client makes
                 and acquires
        timeout  seconds without progress after which an attempt fails; a save may wait for 30
        retries  most repetitions of a call: when no response came, on the status 429, 502, 503 or 504,
                 and of a failure that is `retryable`, after what Retry-After says, if that is at most 30
                 seconds. All attempts of a write have one idempotency key, so that it happens once
        """
        parts = urlsplit(url if isinstance(url, str) else "")
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            shown = url.rpartition("@")[2] if isinstance(url, str) else url
            raise ValueError(
                f"The url of a server is http://HOST or https://HOST, without a user; got {shown!r}."
            )
        self._url = f"{parts.scheme}://{parts.netloc}{parts.path}".rstrip("/")
        self._origin = _origin_of(parts.scheme, parts.hostname, parts.port)
        self._api_key = None if api_key is None else api_key.strip()
        if not re.fullmatch("[!-~]*", self._api_key or ""):
            raise ValueError("An API key has visible ASCII characters only.")
        if sign is not None and not callable(sign):
            raise TypeError("`sign` is a function, which gets a text and returns its signature; no key.")
        self._sign = sign
        self._address = address
        self._timeout = timeout
        self._retries = retries
        self._deployment: Optional[Json] = None
        self._grant: Optional[str] = None
        self._open = build_opener(_NoRedirects).open

    def __repr__(self) -> str:
        return f"Heirloom({self._url!r}, address={self._address!r})"

    def __enter__(self) -> Heirloom:
        return self

    def __exit__(self, *_: Any) -> None:
        self._api_key = self._sign = None

    # Memories

    def snapshot(
        self,
        data: Optional[Json] = None,
        metadata: Optional[Json] = None,
        *,
        document: Union[bytes, str, None] = None,
        card: Optional[Json] = None,
        parent_token_id: Optional[Token] = None,
        recipient: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Json:
        """Seals a memory and mints its token: `tokenId`, `contentHash`, `storageUri`, `txHash`.

        `metadata` has a `category`. Pass `document` instead of both for exact JSON text. The token
        belongs to `recipient`, or else to `address`; to the wallet of the server with "server", and
        without both. The `card` is public for ever.
        """
        options = {"card": card, "recipient": self._owner(recipient)}
        if parent_token_id is not None:
            options["parentTokenId"] = _decimal(parent_token_id, "token id")
        body = _snapshot_body(_document(data, metadata, document), options)
        return self._save(body, idempotency_key)

    def download(self, token_id: Token) -> Memory:
        """Downloads a memory as its owner, renter or reader, and verifies it against the record.

        Raises "client/not-verified" when its content hash is not the recorded one.
        """
        token = _decimal(token_id, "token id")
        headers, document = self._read_proven(token, "")
        record = self.info(token)
        salt = headers.get("x-content-salt", "")
        if not re.fullmatch("0x[0-9a-f]{64}", salt):
            raise _not_verified(token, "the response has no salt")
        computed = "0x" + hashlib.sha256(bytes.fromhex(salt[2:]) + document).hexdigest()
        if record.get("tokenId") != token or record.get("contentHash") != computed:
            raise _not_verified(token, f"its content hash {computed} is not the recorded one")
        if headers.get("x-content-hash") != computed:
            raise _not_verified(token, "the server reports another content hash")
        return Memory(token, document, computed, salt)

    def granted(self, grant: str) -> Heirloom:
        """Returns a client that opens and searches memories by a grant to `address`, given its id.

        Of a name that was granted, written with its owner as in "0x…:ada", it also has `latest`, `at` and
        `log`, and with the right to save `save` and `remove`; the versions belong to that owner.
        """
        client = copy.copy(self)
        client._grant = _grant_id(grant)
        return client

    def grant(
        self,
        reader: str,
        expires: int,
        sign_typed: Callable[[Json], Any],
        *,
        name: Optional[str] = None,
        token_id: Optional[Token] = None,
        save: bool = False,
        label: str = "",
        transfers: int = 0,
    ) -> Json:
        """Lets `reader` read all versions of a name of `address`, or one token, until a time in seconds.

        With `save` it also saves to the name. `sign_typed` gets typed data (EIP-712) and returns what has a
        `message_hash` and a `signature`, as `lambda it: account.sign_typed_data(full_message=it)` of
        eth-account does. `transfers` counts those of the token; the refusal of another number says the
        right one. Returns the `id`, and `others`: earlier grants of the same, which go on.
        """
        address, sign = self._signer("A grant")
        if (name is None) == (token_id is None) or (save and name is None):
            raise _invalid("grant", "needs either name or token_id, and with save a name", name)
        found = self._newest(name, 1) if name else self.info(token_id or 0)
        token, place, now = _member(found, "tokenId"), self._place(), int(time.time())
        rights, what = ("read and save" if save else "read"), f"{name}, begun as token {token}"
        statement = (
            f"I let {reader} {rights} the memory of {what if name else f'token {token}'} until"
            f" {_iso(expires)[:10]} (UTC), as long as I own it, at {self._origin}. I can take this back."
        )
        grant: Json = {
            "statement": statement, "owner": address, "reader": reader, "tokenId": int(token),
            "transferCount": transfers, "digest": _member(found, "storageUri").split("//")[1],
            "name": name or "", "rights": rights, "holders": [self._origin], "issuedAt": now,
            "expires": expires, "salt": "0x" + secrets.token_hex(32),
        }
        signed = sign_typed(_typed_grant(grant, place))
        label_text = re.sub("[^A-Za-z0-9_.-]", lambda it: f"%{ord(it[0]):x};", label)
        id = _hex(signed.message_hash)
        resources = f"Resources:\n- urn:heirloom:grant:{id}\n- urn:heirloom:label:{label_text}"
        act, uri, nonce = f"Deposit the grant {id}.", "/api/grants", id[2:34]
        text = _sign_in_text(place, address, act, uri, nonce, now, resources)
        proof = {"origin": self._origin, "timestamp": now, "signature": _hex(sign(text))}
        encoded = {**grant, "tokenId": token, "transferCount": str(transfers)}
        body = {"grant": encoded, "signature": _hex(signed.signature), "label": label, "proof": proof}
        return _json(self._post("/api/grants", body))

    def grants(self, *, limit: Optional[int] = None, after: Optional[str] = None) -> Json:
        """Returns the grants that `address` signed and that count, the last signed first, in pages."""
        return self._grants("GET", "/api/grants" + _query({"limit": limit, "after": after}))

    def received_grants(self, *, limit: Optional[int] = None, after: Optional[str] = None) -> Json:
        """Returns the grants to `address` that count, of the owners that it accepted, in pages."""
        return self._grants("GET", "/api/grants/received" + _query({"limit": limit, "after": after}))

    def accept_grants(self, owner: str) -> None:
        """Has `received_grants` list what an owner grants `address`, now and later.

        `grant/not-found` where the owner has granted it nothing here.
        """
        self._grants("PUT", f"/api/accepted-owners/{quote(owner, safe='')}")

    def ignore_grants(self, owner: str) -> None:
        """Has `received_grants` list nothing of an owner any more; one may still read it."""
        self._grants("DELETE", f"/api/accepted-owners/{quote(owner, safe='')}")

    def _grants(self, method: str, path: str) -> Json:
        headers = self._signed("Listing grants", "names", "", f":{method}:{path}")
        body = self._send(method, path, headers=headers)[1]
        return _json(body) if body else {}

    def revoke(self, grant: str) -> None:
        """Revokes a grant of `address` for good, given its id."""
        if grant is None:
            raise ValueError("revoke needs the id of a grant; revoke_all() ends all of them.")
        self._revoke(f"/{_grant_id(grant)}/revoke", "revoke", grant, {})

    def revoke_all(self) -> None:
        """Revokes all grants that `address` signed until now, for good."""
        now = int(time.time())
        self._revoke("/revoke", "revoke-all", now, {"timestamp": now})

    def _revoke(self, path: str, verb: str, subject: Union[str, int], more: Json) -> None:
        address, sign = self._signer("Revoking a grant")
        place = self._read("/api/deployment")
        where = f"{_member(place, 'chainId')}:{_member(place, 'registry')}:{address}"
        signature = _hex(sign(f"heirloom:{verb}:{where}:{subject}"))
        self._post(f"/api/grants{path}", {"owner": address, **more, "signature": signature})

    def _post(self, path: str, body: Json) -> bytes:
        return self._send("POST", path, _encode(body), lambda: {"content-type": "application/json"})[1]

    def openings(
        self, token_id: Token, *, limit: Optional[int] = None, after: Optional[str] = None
    ) -> Json:
        """Returns who opened a memory while `address` owned it, the newest first, in pages."""
        query = {"limit": limit, "after": after}
        return _json(self._read_proven(_decimal(token_id, "token id"), "/openings", query)[1])

    def erase(self, token_id: Token) -> Json:
        """Erases the memory of a token for ever, as its owner: `address`, which signs. The token stays."""
        token = _decimal(token_id, "token id")
        headers = self._signed("Erasing a memory", "erase", f":{token}")
        return _json(self._send("POST", f"/api/memory/{token}/erase", headers=headers)[1])

    def info(self, token_id: Token) -> Json:
        """Returns the record of a token on the chain."""
        return self._read(f"/api/memory/{_decimal(token_id, 'token id')}/info")

    def lineage(self, token_id: Token) -> Json:
        """Returns a token with its card, and the tokens that it comes from and that come from it."""
        return self._read(f"/api/memory/{_decimal(token_id, 'token id')}/lineage")

    def rate(self, token_id: Token, score: int, comment: str = "") -> Json:
        """Rates a token from 1, the worst, to 5, the best, as `address`, which paid for it and signs.

        A later rating of the account replaces an earlier one. The comment is public.
        """
        token = _decimal(token_id, "token id")
        if isinstance(score, bool) or score not in (1, 2, 3, 4, 5):
            raise _invalid("score", "must be an int from 1 to 5", score)
        body = _encode({"score": score, "comment": comment})
        headers = self._signed("Rating a memory", "rate", f":{token}", f":{score}:{comment}")
        path, json_type = f"/api/memory/{token}/ratings", {"content-type": "application/json"}
        return _json(self._send("POST", path, body, lambda: {**json_type, **headers()})[1])

    def ratings(
        self, token_id: Token, *, limit: Optional[int] = None, after: Optional[str] = None
    ) -> Json:
        """Returns the ratings of a token, the newest first, in pages, and how many have each score."""
        path = f"/api/memory/{_decimal(token_id, 'token id')}/ratings"
        return self._read(path, {"limit": limit, "after": after})

    def memories(self, **query: Any) -> Json:
        """Finds tokens, in pages: `items`, and `next` to pass as `after`.

        The query is that of GET /api/memory: owner, creator, parent, renter, content_hash, search,
        category, tag, limit and after.
        """
        return self._read("/api/memory", _camel(query))

    def outline(
        self,
        token_id: Token,
        pointer: str = "",
        *,
        depth: Optional[int] = None,
        width: Optional[int] = None,
        from_member: Optional[int] = None,
    ) -> Json:
        """Describes what is in a memory: types, sizes in bytes and counts, without the values.

        depth        levels below the value, 0 to 8; 2 when absent
        width        most members of each object or array, 1 to 100; 20 when absent
        from_member  number of the first member: 0, or `next` of an earlier answer
        """
        query = {"pointer": pointer, "depth": depth, "width": width, "from": from_member}
        return _json(self._read_proven(_decimal(token_id, "token id"), "/outline", query)[1])

    def part(self, token_id: Token, pointer: str) -> Part:
        """Reads the value at a JSON Pointer (RFC 6901), such as "/data/notes/3"."""
        token = _decimal(token_id, "token id")
        headers, text = self._read_proven(token, "/part", {"pointer": pointer})
        if headers.get("x-verified-by") != "digest":
            raise _bad_answer("it is no part")
        return Part(token, pointer, text, headers.get("x-sealed-digest", ""))

    def select(
        self,
        token_id: Token,
        path: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
    ) -> Json:
        """Selects values by a JSONPath (RFC 9535): `matches`, each with its text, and `next`."""
        query = {"path": path, "limit": limit, "after": after}
        return _json(self._read_proven(_decimal(token_id, "token id"), "/part", query)[1])

    def search(
        self,
        token_id: Token,
        text: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
    ) -> Json:
        """Answers a question from a memory: `matches`, the best first, each with its `pointer` and `match`.

        A text in quotes is looked for as it stands; then there may be a `next`, to pass as `after`.
        """
        query = {"q": text, "each": "item", "limit": limit, "after": after}
        return _json(self._read_proven(_decimal(token_id, "token id"), "/search", query)[1])

    # Names

    def save(
        self,
        name: str,
        data: Optional[Json] = None,
        metadata: Optional[Json] = None,
        *,
        after: Union[Memory, Json, Token, None],
        document: Union[bytes, str, None] = None,
        card: Optional[Json] = None,
        recipient: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Json:
        """Saves the next version of a private name, such as "ada"; its parent is the last one.

        `after` is the version that you saw last: what `latest` or `save` returned, or its token;
        None for a name without versions. Raises NameMoved when the name has another last version:
        read `latest`, take over what it changed, and save again. Without a `recipient` and an
        `address` nobody could read it back: "client/no-account". The rest is as in `snapshot`.
        """
        if recipient is None and self._address is None:
            raise _no_account("Saving without `recipient`")
        options = {"card": card, "after": _decimal(_token_of(after), "token id")}
        if self._grant is None:
            options = {**options, "recipient": self._owner(recipient), "name": name}
        elif recipient is not None:
            raise _invalid("recipient", "must be the owner of a granted name: leave it out", recipient)
        else:
            self._read_name(name)
        body = _snapshot_body(_document(data, metadata, document), options)
        try:
            return self._save(body, idempotency_key, self._by_grant("/memory/snapshot"))
        except HeirloomError as error:
            raise _with_name(error, name)

    def remove(
        self,
        name: str,
        pointer: str,
        *,
        after: Union[Memory, Json, Token, None] = None,
        idempotency_key: Optional[str] = None,
    ) -> Json:
        """Saves the next version of a private name without one value, such as "/data/notes/3".

        An item leaves its list, a member its object, and every other character stays. Earlier versions
        keep the value until each is erased. Raises "part/not-found", and NameMoved when another version
        came in between, or after `after`; then nothing is saved. The rest is as in `save`.
        """
        last = _member(self._read_name(name), "last") if after is None else after
        memory = self.download(_token_of(last))
        document = _without(memory.document.decode(), pointer)
        return self.save(name, after=memory, document=document, idempotency_key=idempotency_key)

    def latest(self, name: str) -> Optional[Memory]:
        """Downloads the last version of a name; None for a name without versions.

        Raises "memory/erased" for one whose memory was erased; `log` has its token, to save after.
        """
        try:
            found = self._read_name(name)
        except HeirloomError as error:
            if error.code == "name/not-found":
                return None
            raise
        return self.download(_member(_member(found, "last"), "tokenId"))

    def at(self, name: str, version: Union[int, str]) -> Memory:
        """Downloads a version of a name: by its number, or the last one that was saved by a time.

        A day such as "2026-10-01" is until its end in UTC; a time is "2026-10-01T12:00:00Z". Raises
        "client/no-version" where there is none.
        """
        if re.fullmatch("[1-9][0-9]{0,8}", str(version)):
            found = self._newest(name, int(version))
            is_it = found is not None and found["version"] == int(version)
            found = found if is_it else None
        else:
            found = self._by_time(name, _end_of(str(version)))
        if found is None:
            text = f"The name {name} has no version {version}; its log lists the versions."
            raise HeirloomError("client/no-version", text, {"name": name, "version": version})
        return self.download(_member(found, "tokenId"))

    def _newest(self, name: str, most: Optional[int] = None) -> Optional[Json]:
        after = None if most is None else str(most + 1)
        items = self.log(name, limit=1, after=after)["items"]
        return items[0] if items else None

    def _by_time(self, name: str, until: int) -> Optional[Json]:
        found = self._newest(name)
        if found is None or found["savedAt"] <= until:
            return found
        # Versions up to `lower` were saved in time, and `upper` was not.
        lower, upper, found = 0, found["version"], None
        while upper - lower > 1:
            middle = (lower + upper) // 2
            it = self._newest(name, middle)
            if it is not None and it["savedAt"] > until:
                upper = it["version"]
            else:
                lower, found = middle, it or found
        return found

    def names(self, *, limit: Optional[int] = None, after: Optional[str] = None) -> Json:
        """Returns your names with their last versions: `items`, and `next` to pass as `after`."""
        return self._read_names("/api/names", {"limit": limit, "after": after})

    def log(self, name: str, *, limit: Optional[int] = None, after: Optional[str] = None) -> Json:
        """Returns who saved what when, the newest first: `items`, and `next` to pass as `after`."""
        return self._read_name(name, "/versions", {"limit": limit, "after": after})

    # The marketplace

    def listing(self, token_id: Token) -> Json:
        """Returns the current terms of a token; prices in wei."""
        return self._read(f"/api/marketplace/listings/{_decimal(token_id, 'token id')}")

    def listings(self, **query: Any) -> Json:
        """Finds live listings, in pages: `items`, and `next` to pass as `after`.

        The query is that of GET /api/marketplace/listings: search, category, tag, offer ("sale", "rent"
        or "fork", or a list of them), currency, min_price, max_price, seller, creator, maker, family,
        sort, order, limit, after, and the others of the API.
        """
        return self._read("/api/marketplace/listings", _camel(query))

    def earnings(self, address: Optional[str] = None) -> Json:
        """Returns what the marketplace paid to an account, `address` of the client when absent.

        In wei and, as `dollars`, in millionths of a dollar: `sales`, `rentals`, `forks`, `royalties`
        and `credit`.
        """
        account = address or self._address
        if account is None:
            raise HeirloomError("client/no-account", "Earnings need an `address`.")
        return self._read(f"/api/accounts/{quote(account, safe='')}/earnings")

    def each(self, call: Callable[..., Json], *words: Any, **query: Any) -> Iterator[Any]:
        """Yields what all pages of a call have, such as `each(client.listings, tag="chess")`."""
        while True:
            page = call(*words, **query)
            yield from page["matches"] if "matches" in page else _member(page, "items")
            if page.get("next") is None:
                return
            query["after"] = page["next"]

    def events(
        self,
        *,
        after: Optional[str] = None,
        token_id: Optional[Token] = None,
        kind: Union[str, Sequence[str], None] = None,
    ) -> Iterator[Json]:
        """Yields events as they happen, each with its `id` and `kind`, until the connection is lost.

        after     the id of the event to go on after, or "start" for the first; the next one when absent
        token_id  only events of this token
        kind      only events of this kind, or of these

        Then it raises "client/unreachable": call it again with the id of the last event. The event
        "reorganised" means that all events from its `block` on are void.
        """
        token = None if token_id is None else _decimal(token_id, "token id")
        path = "/api/events" + _query({"after": after, "tokenId": token, "kind": kind})
        with self._connected("GET", path) as response:
            yield from _events_in(response)
            raise OSError("the event stream ended")

    def list(
        self,
        token_id: Token,
        *,
        price: Amount = 0,
        rental_price_per_day: Amount = 0,
        fork_price: Amount = 0,
        fork_royalty_bps: int = 0,
        dollars: Optional[Mapping[str, Amount]] = None,
        idempotency_key: Optional[str] = None,
    ) -> Json:
        """Offers a token of the server's wallet, in place of its earlier terms; `unlist` takes it down.

        Prices are in wei, one of them at least is not 0; a price of 0 is no offer. Instead of them
        `dollars` has prices of the same names in millionths of a dollar, such as
        {"price": 5_000_000}. The royalty is in basis points: 500 is 5 %.
        """
        prices = {"price": price, "rental_price_per_day": rental_price_per_day, "fork_price": fork_price}
        unknown = next((name for name in dollars or {} if name not in prices), None)
        if unknown is not None:
            raise TypeError(f"dollars has no {unknown!r}, but {', '.join(prices)}.")
        if not any(str(it) != "0" for it in (*prices.values(), *(dollars or {}).values())):
            raise ValueError(f"Pass one of {', '.join(prices)}; unlist takes a token down.")
        terms = {**_prices(prices), "forkRoyaltyBps": fork_royalty_bps}
        if dollars is not None:
            terms["dollars"] = _prices({**dict.fromkeys(prices, 0), **dollars})
        return self._set_terms(token_id, terms, idempotency_key)

    def unlist(self, token_id: Token, *, idempotency_key: Optional[str] = None) -> Json:
        """Takes down the listing of a token of the server's wallet."""
        none = {"price": "0", "rentalPricePerDay": "0", "forkPrice": "0", "forkRoyaltyBps": 0}
        return self._set_terms(token_id, none, idempotency_key)

    def _set_terms(self, token_id: Token, terms: Json, idempotency_key: Optional[str]) -> Json:
        body = _encode({"tokenId": _decimal(token_id, "token id"), **terms})
        return self._write("/api/marketplace/list", body, idempotency_key)

    def buy(
        self,
        token_id: Token,
        *,
        max_price: Optional[Amount] = None,
        recipient: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Json:
        """Buys a token for `recipient`, or else `address`, at most for `max_price` wei."""
        return self._acquire("buy", token_id, recipient, max_price, {}, idempotency_key)

    def rent(
        self,
        token_id: Token,
        *,
        duration_days: int,
        max_price: Optional[Amount] = None,
        recipient: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Json:
        """Rents a token for whole days, in all for at most `max_price` wei.

        `expiresAt` is in seconds since the Unix epoch.
        """
        more = {"durationDays": duration_days}
        return self._acquire("rent", token_id, recipient, max_price, more, idempotency_key)

    def fork(
        self,
        token_id: Token,
        *,
        max_price: Optional[Amount] = None,
        max_royalty_bps: Optional[int] = None,
        recipient: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Json:
        """Mints a licensed child, at most for `max_price` wei; `tokenId` is the child."""
        more = {"maxRoyaltyBps": max_royalty_bps}
        return self._acquire("fork", token_id, recipient, max_price, more, idempotency_key)

    def royalty(
        self, token_id: Token, *, amount: Amount, idempotency_key: Optional[str] = None
    ) -> Json:
        """Pays a royalty of `amount` wei to the creator of a token."""
        path = f"/api/marketplace/royalty/{_decimal(token_id, 'token id')}"
        return self._write(path, _encode({"amount": _decimal(amount, "amount")}), idempotency_key)

    # How calls are sent

    def _acquire(
        self,
        act: str,
        token_id: Token,
        recipient: Optional[str],
        max_price: Optional[Amount],
        more: Json,
        idempotency_key: Optional[str],
    ) -> Json:
        terms = {"recipient": self._owner(recipient), **more}
        if max_price is not None:
            terms["maxPrice"] = _decimal(max_price, "amount")
        path = f"/api/marketplace/{act}/{_decimal(token_id, 'token id')}"
        return self._write(path, _encode(_present(terms)), idempotency_key)

    def _owner(self, recipient: Optional[str]) -> Optional[str]:
        # Without a recipient the server's wallet would own the token, and alone could open it.
        return None if recipient == "server" else recipient or self._address

    def _read(self, path: str, query: Optional[Json] = None) -> Json:
        return _json(self._send("GET", path + _query(query))[1])

    def _read_names(self, path: str, query: Json) -> Json:
        path += _query(query)
        return _json(self._send("GET", path, headers=self._as_account("GET", path))[1])

    def _read_name(self, name: str, more: str = "", query: Optional[Json] = None) -> Json:
        if self._grant is not None:
            page = self._read_names(self._by_grant("/versions"), query or {"limit": 1})
            _require_granted(name, f"{_member(page, 'owner')}:{_member(page, 'name')}")
            return page if more else {"name": name, "last": _member(page, "items")[0]}
        try:
            return self._read_names(_name_path(name) + more, query or {})
        except HeirloomError as error:
            raise _with_name(error, name)

    def _by_grant(self, call: str) -> str:
        """Returns the path of a call about a name by the grant; without one that of a snapshot."""
        return "/api/memory/snapshot" if self._grant is None else f"/api/granted/{self._grant}{call}"

    def _read_proven(
        self, token: str, call: str, query: Optional[Json] = None
    ) -> Tuple[Mapping[str, str], bytes]:
        address, sign = self._signer("Opening a memory")
        # No grant shows who else opened a memory.
        by = "" if self._grant is None or call == "/openings" else f"/granted/{self._grant}"
        uri = f"/api{by}/memory/{token}"

        def headers() -> Dict[str, str]:
            timestamp = int(time.time())
            return {
                "x-wallet-address": address,
                "x-wallet-timestamp": str(timestamp),
                "x-wallet-signature": _hex(sign(self._proof_text(token, timestamp, uri))),
            }

        return self._send("GET", f"{uri}{call}{_query(query)}", headers=headers)

    def _signer(self, act: str) -> Tuple[str, Sign]:
        if self._sign is None or self._address is None:
            raise _no_account(act)
        return self._address, self._sign

    def _signed(self, act: str, verb: str, subject: str, more: str = "") -> Headers:
        """Returns what signs a request for this server, its chain and its registry alone."""
        address, sign = self._signer(act)

        def headers() -> Dict[str, str]:
            place, host = self._place(), self._origin.split("://")[1]
            where = f"{host}:{_member(place, 'chainId')}:{_member(place, 'registry')}"
            timestamp = int(time.time())
            text = f"heirloom:{verb}:{where}{subject}:{address}:{timestamp}{more}"
            return {
                "x-wallet-address": address,
                "x-timestamp": str(timestamp),
                "x-signature": _hex(sign(text)),
            }

        return headers

    def _as_account(self, method: str, path: str, body: Optional[bytes] = None) -> Headers:
        """Returns what signs a request about names as `address`; nothing where there is no `sign`.

        And nothing for a server that knows itself by another address: it would refuse the signature.
        """
        if self._grant is not None and not path.startswith("/api/granted/"):
            raise _invalid("client", "must only open and save memories, by its grant", self._grant)
        if self._sign is None or self._address is None:
            return dict
        digest = "" if body is None else ":0x" + hashlib.sha256(body).hexdigest()
        headers = self._signed("A name", "names", "", f":{method}:{path}{digest}")
        return lambda: headers() if self._place().get("origin") == self._origin else {}

    def _place(self) -> Json:
        if self._deployment is None:
            with self._connected("GET", "/api/deployment") as response:
                self._deployment = _json(response.read())
        return self._deployment

    def _proof_text(self, token: str, timestamp: int, uri: str) -> str:
        place = self._place()
        # A server that names another origin could forward the proof to that origin.
        if "eip4361" in place.get("proofs", []) and place.get("origin") == self._origin:
            return _bound_text(place, token, str(self._address), timestamp, uri)
        if uri.startswith("/api/granted/"):
            problem = "The server cannot verify that a proof is meant for it; its PUBLIC_URL is not this url."
            raise HeirloomError("seal/not-offered", problem, {"setting": "PUBLIC_URL"})
        return f"service:access:{token}:{self._address}:{timestamp}"

    def _save(self, body: bytes, key: Optional[str], path: str = "/api/memory/snapshot") -> Json:
        return self._write(path, body, key, self._as_account("POST", path, body))

    def _write(
        self, path: str, body: bytes, idempotency_key: Optional[str], signed: Headers = dict
    ) -> Json:
        key = secrets.token_hex(16) if idempotency_key is None else idempotency_key
        if not re.fullmatch("[ -~]{1,200}", key):
            raise _invalid("idempotency key", "must have 1 to 200 visible ASCII characters", key)
        # A string of RFC 8941.
        quoted = '"' + re.sub(r'(["\\])', r"\\\1", key) + '"'
        headers = {"content-type": "application/json", "idempotency-key": quoted}
        try:
            return _json(self._send("POST", path, body, lambda: {**headers, **signed()})[1])
        except HeirloomError as error:
            error.idempotency_key = key
            raise

    def _send(
        self,
        method: str,
        path: str,
        body: Optional[bytes] = None,
        headers: Headers = dict,
    ) -> Tuple[Mapping[str, str], bytes]:
        tries = 0
        while True:
            try:
                with self._connected(method, path, body, headers()) as response:
                    return response.headers, response.read()
            except HeirloomError as error:
                delay = _delay_before(error, tries) if tries < self._retries else None
                if delay is None:
                    raise
            time.sleep(delay)
            tries += 1

    @contextmanager
    def _connected(
        self,
        method: str,
        path: str,
        body: Optional[bytes] = None,
        headers: Optional[Dict[str, str]] = None,
    ) -> Iterator[Any]:
        sent = {"user-agent": "heirloom.py", **(headers or {})}
        if self._api_key is not None:
            sent["authorization"] = f"Bearer {self._api_key}"
        request = Request(self._url + path, data=body, headers=sent, method=method)
        try:
            with self._open(request, timeout=self._timeout) as response:
                yield response
        except HTTPError as error:
            with error:
                raise _failure_of(error) from None
        except (OSError, http.client.HTTPException) as error:
            facts, reason = {"method": method, "path": path}, getattr(error, "reason", error)
            detail = f"The server at {self._url} did not answer {method} {path}: {reason}."
            raise HeirloomError("client/unreachable", detail, facts, retryable=True) from error


class _NoRedirects(HTTPRedirectHandler):
    """Follows no redirect, which would send the API key and the proof to another server."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _delay_before(error: HeirloomError, tries: int) -> Optional[float]:
    """Returns the seconds before a call may be sent again; None where that cannot help."""
    # The limit of the day does not reset before tomorrow.
    is_passing = error.retryable or error.status in (429, 502, 503, 504)
    if not is_passing or error.code.endswith("/day-limit"):
        return None
    asked = 0.0 if error.retry_after is None else _seconds_in(error.retry_after)
    # Such a delay is too long for the caller of this call.
    if asked > _LONGEST_DELAY:
        return None
    return asked + min(_LONGEST_DELAY, 0.25 * 2.0**tries) * random.uniform(0.5, 1)


_LONGEST_DELAY = 30.0


def _seconds_in(retry_after: str) -> float:
    """Returns the seconds that a Retry-After header asks for: a number, or a date."""
    if re.fullmatch("[0-9]+", retry_after):
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return 0.0


def _failure_of(response: HTTPError) -> HeirloomError:
    """Returns the error of a failed response, which is a problem of RFC 9457."""
    status, after = response.code, response.headers.get("retry-after")
    try:
        problem = json.loads(response.read())
        code, detail = problem["code"], problem["detail"]
    except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError, RecursionError):
        moved = "it is a redirect; use the url it redirects to"
        other = f"it has the status {status} and no failure code"
        problem = moved if 300 <= status < 400 else other
        error = _bad_answer(problem, status=status, retry_after=after)
        error.retryable = status in (429, 502, 503, 504)
        return error
    kind = NameMoved if code == "name/moved" else HeirloomError
    more = {"status": status, "retryable": problem.get("retryable", False), "retry_after": after}
    return kind(code, detail, problem.get("facts"), **more)


def _bad_answer(problem: str, **more: Any) -> HeirloomError:
    detail = f"The response is not valid: {problem}."
    return HeirloomError("client/bad-answer", detail, {"problem": problem}, **more)


def _not_verified(token: str, problem: str) -> HeirloomError:
    detail = f"The memory of token {token} is not verified: {problem}."
    return HeirloomError("client/not-verified", detail, {"tokenId": token, "problem": problem})


def _no_account(act: str) -> HeirloomError:
    return HeirloomError("client/no-account", f"{act} needs `address` and `sign`.")


def _prices(prices: Mapping[str, Amount]) -> Json:
    """Returns prices in the names of the API, as decimal strings."""
    return _camel({name: _decimal(it, name.replace("_", " ")) for name, it in prices.items()})


def _token_of(version: Union[Memory, Json, Token, None]) -> Any:
    if isinstance(version, Memory):
        return version.token_id
    if isinstance(version, dict) and "tokenId" in version:
        return version["tokenId"]
    return 0 if version is None else version


def _events_in(lines: Iterable[bytes]) -> Iterator[Json]:
    """Yields the events of a stream (text/event-stream); a last one that is cut off is dropped."""
    fields: Dict[str, str] = {}
    for line in lines:
        name, _, value = line.decode(errors="replace").rstrip("\r\n").partition(":")
        if name:
            fields[name] = value.strip()
        elif not value:
            if "data" in fields:
                event = _json(fields["data"].encode())
                yield {"id": fields.get("id"), "kind": fields.get("event"), **event}
            fields = {}


def _member(value: Any, name: str) -> Any:
    if not isinstance(value, dict) or name not in value:
        raise _bad_answer(f"it has no {name}")
    return value[name]


def _json(answer: bytes) -> Json:
    try:
        value = json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise _bad_answer("it is not JSON") from error
    if not isinstance(value, dict):
        raise _bad_answer("it is not a JSON object")
    return value


def _encode(value: Json) -> bytes:
    """Encodes JSON. NaN, lone surrogates, cycles and objects of other types have no JSON form."""
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
        return text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        problem = f"it has no JSON form at {_place_of(value) or 'its top'} ({error})"
        detail = f"The bundle is invalid: {problem}."
        raise HeirloomError("bundle/malformed", detail, {"problem": problem}) from error


def _place_of(value: Any) -> str:
    """Returns the JSON Pointer of what has no JSON form inside a value; empty for the value itself."""
    pointer, above = "", set()
    while id(value) not in above:
        above.add(id(value))
        found = next((it for it in _members_of(value) if not _has_form(it[1])), None)
        if found is None:
            break
        name, value = found
        pointer += "/" + str(name).replace("~", "~0").replace("/", "~1")
    return pointer.encode(errors="replace").decode()


def _members_of(value: Any) -> Any:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, (list, tuple)) else ()


def _has_form(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
        return True
    except (TypeError, ValueError, RecursionError):
        return False


def _document(
    data: Optional[Json], metadata: Optional[Json], exact: Union[bytes, str, None]
) -> bytes:
    if exact is None:
        return _encode({"data": data, "metadata": metadata})
    if data is not None or metadata is not None:
        raise ValueError("Pass either `document`, or `data` and `metadata`.")
    if not isinstance(exact, (str, bytes, bytearray)):
        raise TypeError("`document` is JSON text, str or bytes; pass dicts as `data` and `metadata`.")
    # A lone surrogate becomes what is no UTF-8.
    document = exact.encode(errors="surrogatepass") if isinstance(exact, str) else bytes(exact)
    document = document[3:] if document.startswith(b"\xef\xbb\xbf") else document
    problem = _problem_of(document)
    if problem is None:
        return document
    raise HeirloomError("bundle/malformed", f"The bundle is invalid: {problem}.", {"problem": problem})


def _without(text: str, pointer: str) -> str:
    """Returns the text of a memory without the value at a JSON Pointer."""
    at, start, end = _after_space(text, 0), 0, 0
    if not re.match("/(data|metadata)/", pointer) or pointer == "/metadata/category":
        raise _no_part(pointer, "it must be inside of data or metadata, and not the category")
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        parts = list(_parts(text, at))
        names = [it[0] for it in parts]
        if len(set(names)) < len(names):
            raise _no_part(pointer, f"the object around {name!r} has a name twice")
        if name not in names:
            raise _no_part(pointer, f"{name!r} is none of {len(names)} values")
        nth = names.index(name)
        _, start, at, end = parts[nth]
        if nth + 1 < len(parts):
            end = parts[nth + 1][1]
        elif nth > 0:
            start = parts[nth - 1][3]
    return text[:start] + text[end:]


def _parts(text: str, at: int) -> Iterator[Tuple[str, int, int, int]]:
    """Yields the name, the start, the start of the value and the end of each part of a container."""
    # Numbers are not converted: Python refuses to convert those with very many digits.
    decoder = json.JSONDecoder(parse_int=str, parse_float=str)
    is_list = text[at] == "["
    if not is_list and text[at] != "{":
        return
    at, count = _after_space(text, at + 1), 0
    while text[at] not in "]}":
        name, start = str(count), at
        if not is_list:
            name, at = decoder.raw_decode(text, at)
            at = _after_space(text, _after_space(text, at) + 1)
        end = decoder.raw_decode(text, at)[1]
        yield name, start, at, end
        at, count = _after_space(text, end), count + 1
        if text[at] == ",":
            at = _after_space(text, at + 1)


def _after_space(text: str, at: int) -> int:
    while text[at] in " \t\r\n":
        at += 1
    return at


def _no_part(pointer: str, problem: str) -> HeirloomError:
    detail = f"There is no part at {pointer[:100]!r}: {problem}; `outline` has the pointers of parts."
    return HeirloomError("part/not-found", detail, {"pointer": pointer, "problem": problem})


def _problem_of(document: bytes) -> Optional[str]:
    """Returns why a document cannot be sent, and where; None for one that can.

    Of a member beside data and metadata too, which the server would take for an option.
    """
    if document[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in document[:4]:
        return "it is UTF-16; save it as UTF-8"
    constants: List[str] = []
    try:
        text = document.decode()
        # Numbers are not converted: Python refuses to convert those with very many digits.
        members = json.loads(text, parse_int=str, parse_float=str, parse_constant=constants.append)
    except UnicodeDecodeError as error:
        return f"it is not UTF-8 text ({_place_at(document[: error.start].decode())})"
    except json.JSONDecodeError as error:
        return f"it is not JSON ({_place_at(error.doc[: error.pos])})"
    except RecursionError:
        return "it nests deeper than Python can check"
    if constants:
        tokens = re.finditer(r'"(?:[^"\\]|\\.)*"|NaN|Infinity', text)
        found = next(it for it in tokens if it[0][0] != '"')
        return f"it has {found[0]} ({_place_at(text[: found.start()])}), which JSON does not have"
    names = members if isinstance(members, dict) else ()
    other = next((name for name in names if name not in ("data", "metadata")), None)
    if other is None:
        return None
    rest = "beside data and metadata; move it into data, or pass it as an argument"
    return f'it has "{other[:100]}" {rest}'


def _place_at(before: str) -> str:
    """Returns the line and the column, both from 1 on, at the end of a text."""
    return f"line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))}"


def _snapshot_body(document: bytes, options: Json) -> bytes:
    """Returns the body of a snapshot; the bytes of the document are unchanged."""
    more = _present(options)
    text = document.rstrip(b" \t\r\n")
    if not more or not text.endswith(b"}"):
        return document
    return text[:-1] + b"," + _encode(more)[1:]


def _present(values: Json) -> Json:
    return {name: value for name, value in values.items() if value is not None}


def _name_path(name: str) -> str:
    # A proxy may drop a segment of dots alone; with the slash the server says that it is no name.
    return "/api/names/" + quote(name if name.strip(".") else name + "/", safe="")


def _require_granted(name: str, granted: str) -> None:
    """Requires that a name is that of a grant; the capital letters of its owner are a checksum."""
    if name[:42].lower() + name[42:] != granted[:42].lower() + granted[42:]:
        problem = f"is not that of the grant, which is {granted}"
        raise HeirloomError("name/malformed", f"The name {name[:100]!r} {problem}.", {"problem": problem})


def _with_name(error: HeirloomError, name: str) -> HeirloomError:
    """Says of a malformed name which one it is, or that it needs a grant."""
    if error.code == "name/malformed":
        error.detail = f"The name {name[:100]!r} is refused. {error.detail}"
        if re.fullmatch("(?i)0x[0-9a-f]{40}:.+", name):
            problem = "is a name of another account: call granted with the id of its grant"
            error.detail, error.facts = f"{name[:171]} {problem}.", {"problem": problem}
        error.args = (f"{error.detail} ({error.code})",)
    return error


def _camel(query: Json) -> Json:
    """Returns a query in the names of the API: max_price is maxPrice."""
    return {re.sub("_([a-z])", lambda it: it[1].upper(), name): it for name, it in query.items()}


def _query(values: Optional[Json]) -> str:
    present = {
        name: ",".join(it) if isinstance(it, (list, tuple)) else it
        for name, it in _present(values or {}).items()
    }
    return "?" + urlencode(present) if present else ""


def _decimal(value: Union[int, str], kind: str) -> str:
    text = str(value)
    if not re.fullmatch("0|[1-9][0-9]{0,77}", text):
        raise _invalid(kind, "must be an int, or digits without point, sign or leading zero", value)
    return text


def _grant_id(grant: str) -> str:
    if isinstance(grant, str) and re.fullmatch("0x[0-9a-f]{64}", grant):
        return grant
    raise _invalid("grant", "must be 0x and 64 lower-case hex digits", grant)


def _invalid(kind: str, problem: str, value: Any) -> HeirloomError:
    # What is longer may be a memory or a key that was passed by mistake.
    given = repr(value)
    if isinstance(value, (dict, list, tuple, bytes)) or len(given) > 40:
        given = f"a {type(value).__name__} of {len(given)} characters"
    detail = f"This {kind} is not valid: it {problem}; got {given}."
    return HeirloomError("value/invalid", detail, {"kind": kind, "problem": problem})


def _hex(signature: Union[bytes, str]) -> str:
    if not isinstance(signature, (str, bytes, bytearray, memoryview)):
        problem = f"`sign` returns bytes or hex digits; it returned {type(signature).__name__}"
        raise HeirloomError("proof/malformed", f"The proof is malformed: {problem}.")
    text = signature if isinstance(signature, str) else bytes(signature).hex()
    return text if text.startswith("0x") else "0x" + text


def _origin_of(scheme: str, host: str, port: Optional[int]) -> str:
    name = f"[{host}]" if ":" in host else host
    standard = port is None or (scheme, port) in (("http", 80), ("https", 443))
    return f"{scheme}://{name}" if standard else f"{scheme}://{name}:{port}"


def _bound_text(place: Json, token: str, address: str, timestamp: int, uri: str) -> str:
    """Returns the EIP-4361 text with which an account opens one token on one server."""
    asset = f"eip155:{_member(place, 'chainId')}/erc721:{_member(place, 'registry')}/{token}"
    more = f"Expiration Time: {_iso(timestamp + 120)}\nResources:\n- {asset}"
    act, nonce = f"Open the memory of token {token}.", f"token{token}at{timestamp}"
    return _sign_in_text(place, address, act, uri, nonce, timestamp, more)


def _sign_in_text(
    place: Json, address: str, act: str, uri: str, nonce: str, timestamp: int, more: str
) -> str:
    origin = _member(place, "origin")
    return f"""{origin.split("://")[1]} wants you to sign in with your Ethereum account:
{address}

{act}

URI: {origin}{uri}
Version: 1
Chain ID: {_member(place, "chainId")}
Nonce: {nonce}
Issued At: {_iso(timestamp)}
{more}"""


def _typed_grant(grant: Json, place: Json) -> Json:
    """Returns a grant as its owner signs it (EIP-712)."""
    domain = "name string version string chainId uint256 verifyingContract address".split()
    members = (
        "statement string owner address reader address tokenId uint256 transferCount uint256 digest bytes32"
        " name string rights string holders string[] issuedAt uint64 expires uint64 salt bytes32"
    ).split()
    pairs = {"EIP712Domain": domain, "Grant": members}
    return {
        "types": {it: [{"name": k, "type": v} for k, v in zip(of[::2], of[1::2])] for it, of in pairs.items()},
        "primaryType": "Grant",
        "domain": {"name": "Heirloom Grants", "version": "1", "chainId": _member(place, "chainId"),
                   "verifyingContract": _member(place, "registry")},
        "message": grant,
    }


def _end_of(version: str) -> int:
    """Returns the last millisecond of a day in UTC, or a time in milliseconds."""
    day = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    time_of_day = r"T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{3})?)?(Z|[+-][0-9]{2}:[0-9]{2})"
    try:
        if re.fullmatch(day, version):
            start = datetime.fromisoformat(f"{version}T00:00:00+00:00")
            return round(start.timestamp()) * 1000 + 86_399_999
        if re.fullmatch(day + time_of_day, version):
            return round(datetime.fromisoformat(version.replace("Z", "+00:00")).timestamp() * 1000)
    except ValueError:
        pass
    problem = "must be a number from 1 on, a day such as 2026-10-01, or a time with its zone"
    raise _invalid("version", problem, version)


def _iso(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
