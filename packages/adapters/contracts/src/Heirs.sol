// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721} from "./ERC721.sol";
import {IHeirs} from "./interfaces/IHeirs.sol";
import {IMemoryRegistry} from "./interfaces/IMemoryRegistry.sol";
import {Inheritance, LEAST_DAYS, MOST_DAYS, packInheritance} from "./libraries/Inheritance.sol";

/// @notice The heirs of accounts that hold tokens.
abstract contract Heirs is ERC721, IHeirs {
    uint256 private constant _BATCH_LIMIT = 200;

    mapping(address account => Inheritance inheritance) private _inheritances;

    /// @inheritdoc IHeirs
    function nameHeir(address heir, uint256 silenceDays, uint256 noticeDays) external {
        address account = _msgSender();
        if (heir != address(0) || silenceDays != 0 || noticeDays != 0) {
            if (heir == account || !_canHold(heir)) revert HeirInvalid(heir);
            _requireDelay(silenceDays);
            _requireDelay(noticeDays);
        }
        _sign(account);
        _inheritances[account] = packInheritance(heir, silenceDays, noticeDays);
        emit HeirNamed(account, heir, silenceDays, noticeDays);
    }

    /// @inheritdoc IHeirs
    function heartbeat() external {
        address account = _msgSender();
        _sign(account);
        emit Heartbeat(account);
    }

    /// @inheritdoc IHeirs
    function announceTakeover(address account) external {
        Inheritance inheritance = _requireHeir(account);
        uint256 lastSign = _holders[account].holder.lastSign();
        if (inheritance.announcedAt() > lastSign) {
            revert TakeoverAlreadyAnnounced(account, _takeoverAt(inheritance));
        }
        uint256 silentAt = lastSign + inheritance.silenceDays() * 1 days;
        if (block.timestamp < silentAt) revert AccountNotSilent(account, silentAt);
        inheritance = inheritance.announced();
        _inheritances[account] = inheritance;
        emit TakeoverAnnounced(account, inheritance.heir(), _takeoverAt(inheritance));
    }

    /// @inheritdoc IHeirs
    function takeOver(address account, uint256[] calldata tokenIds) external {
        address heir = _requireHeir(account).heir();
        _requireRipe(account);
        if (tokenIds.length == 0 || tokenIds.length > _BATCH_LIMIT) {
            revert IMemoryRegistry.BatchSizeInvalid(tokenIds.length, _BATCH_LIMIT);
        }
        for (uint256 i = 0; i < tokenIds.length; ++i) {
            (address owner, uint256 transferCount) = _existing(tokenIds[i]);
            if (owner != account) revert ERC721IncorrectOwner(account, tokenIds[i], owner);
            _transfer(tokenIds[i], account, heir, transferCount, false);
        }
        emit TakenOver(account, heir, tokenIds);
    }

    /// @inheritdoc IHeirs
    function heirOf(address account)
        external
        view
        returns (address heir, uint256 silenceDays, uint256 noticeDays, uint256 lastSign, uint256 announcedAt)
    {
        Inheritance inheritance = _inheritances[account];
        (heir, silenceDays, noticeDays) = (inheritance.heir(), inheritance.silenceDays(), inheritance.noticeDays());
        lastSign = _holders[account].holder.lastSign();
        if (inheritance.announcedAt() > lastSign) announcedAt = inheritance.announcedAt();
    }

    /// @inheritdoc IHeirs
    function successorOf(address account) external view returns (address) {
        _requireRipe(account);
        return _inheritances[account].heir();
    }

    function _sign(address account) private {
        HolderSlot storage slot = _holders[account];
        slot.holder = slot.holder.signed();
    }

    function _requireHeir(address account) private view returns (Inheritance inheritance) {
        inheritance = _inheritances[account];
        address heir = inheritance.heir();
        // Nobody has the address zero, so an account without an heir has no caller that fits.
        if (_msgSender() != heir) revert CallerNotHeir(account, heir, _msgSender());
    }

    /// @dev A sign of life in the block of the announcement, or later, ends the takeover.
    function _requireRipe(address account) private view {
        Inheritance inheritance = _inheritances[account];
        if (inheritance.announcedAt() <= _holders[account].holder.lastSign()) revert TakeoverNotAnnounced(account);
        uint256 takeoverAt = _takeoverAt(inheritance);
        if (block.timestamp < takeoverAt) revert TakeoverTooEarly(account, takeoverAt);
    }

    function _takeoverAt(Inheritance inheritance) private pure returns (uint256) {
        return inheritance.announcedAt() + inheritance.noticeDays() * 1 days;
    }

    function _requireDelay(uint256 numberOfDays) private pure {
        if (numberOfDays < LEAST_DAYS || numberOfDays > MOST_DAYS) {
            revert HeirDelayInvalid(numberOfDays, LEAST_DAYS, MOST_DAYS);
        }
    }
}
