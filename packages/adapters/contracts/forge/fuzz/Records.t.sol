// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMemoryRegistry} from "../../src/interfaces/IMemoryRegistry.sol";
import {Vm, vm} from "../support/Vm.sol";
import {World} from "./World.sol";

/// @notice When `mint`, `mintBatch`, `mintDescribed` and `fork` record a token, and what the views then tell.
contract RecordsFuzzTest is World {
    bytes32 private constant MINTED = keccak256("Minted(uint256,address,bytes32,bytes32,uint256,uint256)");

    function test_fuzz_mint(address caller, uint256 recipient, bytes32 hash, bytes32 digest, uint256 parent) external {
        uint256 id = registry.totalSupply() + 1;
        IMemoryRegistry.Item memory item = _item(recipient, hash, digest, parent);
        vm.assume(caller != address(0));
        bytes memory failure = _failure(item, id);
        vm.recordLogs();
        bytes memory data = abi.encodeCall(registry.mint, (item.recipient, item.contentHash, digest, item.parent));
        bytes memory answer = _demand(caller, address(registry), 0, data, failure);
        if (failure.length > 0) return vm.assertEq(registry.totalSupply(), id - 1, "supply");
        vm.assertEq(answer, abi.encode(id), "answer");
        _requireRecorded(vm.getRecordedLogs(), 0, caller, item, id);
        vm.assertEq(registry.totalSupply(), id, "supply");
    }

    /// forge-config: default.fuzz.runs = 32
    function test_fuzz_mintBatch(address caller, uint256 size, uint256[4] memory seeds, uint256 bad) external {
        vm.assume(caller != address(0));
        size = size % 16 == 0 ? 199 + (size >> 4) % 4 : (size >> 4) % 12;
        IMemoryRegistry.Item[] memory items = new IMemoryRegistry.Item[](size);
        uint256 first = registry.totalSupply() + 1;
        bytes memory failure;
        if (size == 0 || size > 200) failure = abi.encodeWithSignature("BatchSizeInvalid(uint256,uint256)", size, 200);
        for (uint256 i = 0; i < size; ++i) {
            items[i] = IMemoryRegistry.Item(_person(seeds[0] >> (i % 32)), HASH, bytes32(seeds[1]), (first + i) / 2);
            if (i == bad % 24) items[i] = _item(seeds[0], bytes32(seeds[1]), bytes32(seeds[2]), seeds[3]);
            if (failure.length == 0) failure = _failure(items[i], first + i);
        }
        vm.recordLogs();
        bytes memory answer =
            _demand(caller, address(registry), 0, abi.encodeCall(registry.mintBatch, (items)), failure);
        if (failure.length > 0) return vm.assertEq(registry.totalSupply(), first - 1, "supply");
        vm.assertEq(answer, abi.encode(first), "answer");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < size; ++i) {
            _requireRecorded(logs, 2 * i, caller, items[i], first + i);
        }
        vm.assertEq(registry.totalSupply(), first + size - 1, "supply");
    }

    /// forge-config: default.fuzz.runs = 32
    function test_fuzz_mintDescribed(address caller, bytes32[] memory cards, uint256 size, uint256 bad) external {
        vm.assume(caller != address(0));
        size = size % 8 == 0 ? (size >> 3) % 12 : cards.length;
        IMemoryRegistry.Item[] memory items = new IMemoryRegistry.Item[](size);
        uint256 first = registry.totalSupply() + 1;
        bytes memory failure;
        if (cards.length != size) {
            failure = abi.encodeWithSignature("CardCountInvalid(uint256,uint256)", cards.length, size);
        } else if (size == 0 || size > 200) {
            failure = abi.encodeWithSignature("BatchSizeInvalid(uint256,uint256)", size, 200);
        }
        for (uint256 i = 0; i < size; ++i) {
            items[i] = IMemoryRegistry.Item(_person(bad >> (i % 32)), HASH, DIGEST, (first + i) / 2);
            if (i == bad % 24) items[i] = _item(bad, HASH, DIGEST, bad >> 9);
            if (i < cards.length && uint256(cards[i]) % 3 == 0) cards[i] = 0;
            if (failure.length == 0) failure = _failure(items[i], first + i);
        }
        vm.recordLogs();
        bytes memory data = abi.encodeCall(registry.mintDescribed, (items, cards));
        bytes memory answer = _demand(caller, address(registry), 0, data, failure);
        if (failure.length > 0) return vm.assertEq(registry.totalSupply(), first - 1, "supply");
        vm.assertEq(answer, abi.encode(first), "answer");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 next = 0;
        for (uint256 i = 0; i < size; ++i) {
            _requireRecorded(logs, next, caller, items[i], first + i);
            next += 2;
            if (cards[i] != 0) _requireDescribed(logs[next++], first + i, cards[i]);
        }
        vm.assertEq(logs.length, next, "no other event");
    }

    function test_fuzz_registryFork(uint256 caller, uint256 parent, address forker, uint256 to, uint256 bps) external {
        IMemoryRegistry.Item memory item;
        item.recipient = _recipient(to);
        item.parent = 1 + parent % registry.totalSupply();
        bps %= 10_001;
        vm.assume(forker != address(0));
        address sender = caller % 2 == 0 ? address(marketplace) : _recipient(caller >> 1);
        bytes memory failure = _onlyMarketplace(sender, item.recipient);
        bytes memory data = abi.encodeCall(registry.fork, (item.parent, forker, item.recipient, bps));
        vm.recordLogs();
        _demand(sender, address(registry), 0, data, failure);
        if (failure.length > 0) return;
        (,,,, item.contentHash, item.digest,,) = registry.recordOf(item.parent);
        _requireForkLogged(forker, item, bps);
        _requireRecord(registry.totalSupply(), forker, item, bps + 1);
    }

    function test_fuzz_transferOnSale(uint256 caller, uint256 id, uint256 recipient) external {
        address sender = caller % 2 == 0 ? address(marketplace) : _recipient(caller >> 1);
        address to = _recipient(recipient);
        id = 1 + id % registry.totalSupply();
        (address owner, uint256 count) = registry.holdingOf(id);
        bytes memory failure = _onlyMarketplace(sender, to);
        vm.recordLogs();
        _demand(sender, address(registry), 0, abi.encodeCall(registry.transferOnSale, (id, to)), failure);
        (address ownerNow, uint256 countNow) = registry.holdingOf(id);
        vm.assertEq(ownerNow, failure.length > 0 ? owner : to, "owner");
        vm.assertEq(countNow, failure.length > 0 ? count : count + 1, "transfer count");
        if (failure.length > 0) return;
        Vm.Log memory moved = _log(keccak256("Transfer(address,address,uint256)"), 1);
        vm.assertEq(moved.topics[1], _word(owner), "from");
        vm.assertEq(moved.topics[2], _word(to), "to");
        vm.assertEq(moved.topics[3], bytes32(id), "token");
    }

    function test_fuzz_views(uint256 seed) external {
        uint256 id = _id(seed);
        bytes memory absent = _exists(id) ? bytes("") : _tokenNotFound(id);
        bytes memory nonexistent =
            _exists(id) ? bytes("") : abi.encodeWithSignature("ERC721NonexistentToken(uint256)", id);
        _view(abi.encodeCall(registry.recordOf, (id)), absent);
        _view(abi.encodeCall(registry.holdingOf, (id)), absent);
        _view(abi.encodeCall(registry.royaltyLineageOf, (id)), absent);
        _view(abi.encodeCall(registry.sourceOf, (id)), absent);
        _view(abi.encodeCall(registry.creatorOf, (id)), absent);
        _view(abi.encodeCall(registry.parentOf, (id)), absent);
        _view(abi.encodeCall(registry.storageURI, (id)), absent);
        _view(abi.encodeCall(registry.tokenURI, (id)), nonexistent);
        _view(abi.encodeCall(registry.ownerOf, (id)), nonexistent);
        _view(abi.encodeCall(registry.getApproved, (id)), nonexistent);
        _view(abi.encodeCall(registry.royaltyInfo, (id, seed)), "");
        _view(abi.encodeCall(registry.getRoyalties, (id)), "");
    }

    function test_fuzz_lineage(uint256 id) external view {
        id = 1 + id % registry.totalSupply();
        IMemoryRegistry.Claim[] memory claims = registry.royaltyLineageOf(id);
        (address payable[] memory recipients, uint256[] memory royaltiesBps) = registry.getRoyalties(id);
        vm.assertTrue(claims.length <= 8 && recipients.length == claims.length, "at most 8, and as many elsewhere");
        (uint256 parent, uint256 licence) = _above(id);
        uint256 count = claims.length;
        uint256 total = 0;
        while (licence != 0) {
            if (licence > 1) {
                IMemoryRegistry.Claim memory claim = claims[--count];
                vm.assertEq(claim.tokenId, parent, "parent");
                vm.assertEq(claim.creator, registry.creatorOf(parent), "creator");
                vm.assertEq(claim.royaltyBps, licence - 1, "royalty");
                vm.assertEq(recipients[count], claim.creator, "recipient");
                vm.assertEq(royaltiesBps[count], claim.royaltyBps, "royalty of the recipient");
                total += claim.royaltyBps;
            }
            (parent, licence) = _above(parent);
        }
        vm.assertEq(count, 0, "no claim beside the licences");
        vm.assertTrue(total <= 10_000, "together no more than the whole");
    }

    function test_fuzz_royaltyInfo(uint256 id, uint80 price) external view {
        id = 1 + id % registry.totalSupply();
        (address receiver, uint256 amount) = registry.royaltyInfo(id, price);
        (address largest, uint256 share) = (address(0), 0);
        (uint256 parent, uint256 licence) = _above(id);
        while (licence != 0) {
            if (licence > 1 && licence - 1 >= share) (largest, share) = (registry.creatorOf(parent), licence - 1);
            (parent, licence) = _above(parent);
        }
        vm.assertEq(receiver, largest, "the largest claim, the oldest of equals");
        vm.assertEq(amount, uint256(price) * share / 10_000, "its share and no other");
    }

    function test_fuzz_sourceOf(uint256 id) external view {
        id = 1 + id % registry.totalSupply();
        (uint256 expected, uint256 licences) = _source(id);
        (uint256 source, address creator, uint256 depth) = registry.sourceOf(id);
        vm.assertEq(source, expected, "source");
        vm.assertEq(creator, registry.creatorOf(source), "creator of the source");
        vm.assertEq(depth, licences, "depth");
    }

    function _requireDescribed(Vm.Log memory told, uint256 id, bytes32 card) private pure {
        vm.assertEq(told.topics[0], keccak256("Described(uint256,bytes32)"), "event");
        vm.assertEq(told.topics[1], bytes32(id), "token");
        vm.assertEq(told.data, abi.encode(card), "card");
    }

    function _requireForkLogged(address forker, IMemoryRegistry.Item memory item, uint256 bps) private {
        Vm.Log memory minted = _log(MINTED, 1);
        vm.assertEq(minted.topics[1], bytes32(registry.totalSupply()), "token");
        vm.assertEq(minted.topics[2], _word(forker), "creator");
        vm.assertEq(minted.topics[3], item.contentHash, "content hash");
        vm.assertEq(minted.data, abi.encode(item.digest, item.parent, bps + 1), "digest, parent and licence");
    }

    function _requireRecorded(
        Vm.Log[] memory logs,
        uint256 index,
        address caller,
        IMemoryRegistry.Item memory item,
        uint256 id
    ) private view {
        vm.assertEq(logs[index].topics[0], keccak256("Transfer(address,address,uint256)"), "event");
        vm.assertEq(logs[index].topics[1], bytes32(0), "from");
        vm.assertEq(logs[index].topics[2], _word(item.recipient), "to");
        vm.assertEq(logs[index].topics[3], bytes32(id), "token");
        vm.assertEq(logs[index + 1].topics[0], MINTED, "event");
        vm.assertEq(logs[index + 1].topics[1], bytes32(id), "token");
        vm.assertEq(logs[index + 1].topics[2], _word(caller), "creator");
        vm.assertEq(logs[index + 1].topics[3], item.contentHash, "content hash");
        vm.assertEq(logs[index + 1].data, abi.encode(item.digest, item.parent, 0), "digest, parent and licence");
        _requireRecord(id, caller, item, 0);
    }

    function _requireRecord(uint256 id, address creator, IMemoryRegistry.Item memory item, uint256 licence)
        private
        view
    {
        (bool done, bytes memory record) = address(registry).staticcall(abi.encodeCall(registry.recordOf, (id)));
        bytes memory expected = abi.encode(
            creator, block.timestamp, item.parent, licence, item.contentHash, item.digest, item.recipient, 0
        );
        vm.assertTrue(done, "recorded");
        vm.assertEq(record, expected, "record");
        vm.assertEq(registry.creatorOf(id), creator, "creator");
        vm.assertEq(registry.parentOf(id), item.parent, "parent");
        vm.assertEq(registry.storageURI(id), string.concat("v2:ipfs://", vm.toString(item.digest)), "storage");
    }

    function _item(uint256 recipient, bytes32 hash, bytes32 digest, uint256 parent)
        private
        view
        returns (IMemoryRegistry.Item memory)
    {
        if (uint256(hash) % 8 == 0) hash = 0;
        return IMemoryRegistry.Item(_recipient(recipient), hash, digest, _id(parent));
    }

    function _failure(IMemoryRegistry.Item memory item, uint256 id) private view returns (bytes memory) {
        if (item.recipient == address(0)) return abi.encodeWithSignature("ERC721InvalidReceiver(address)", address(0));
        if (!_canHold(item.recipient)) return _recipientInvalid(item.recipient);
        if (item.contentHash == 0) return abi.encodeWithSignature("ContentHashZero()");
        return item.parent < id ? bytes("") : _tokenNotFound(item.parent);
    }

    function _onlyMarketplace(address caller, address recipient) private view returns (bytes memory) {
        if (caller != address(marketplace)) return abi.encodeWithSignature("CallerNotMarketplace(address)", caller);
        return _canHold(recipient) ? bytes("") : _recipientInvalid(recipient);
    }

    function _view(bytes memory data, bytes memory failure) private {
        _demand(dave, address(registry), 0, data, failure);
    }
}
